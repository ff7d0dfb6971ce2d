#pragma once
/// Debian's expat knows document types, and declares its protection against what they expand
/// to for those who say so.
#define XML_DTD 1
#include <expat.h>
