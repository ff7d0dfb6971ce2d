#include "CStoreKitEnums.h"
