#!/usr/bin/env bash
# Looks whom nginx (Deployment/nginx.conf) asks where a process ends; starts three processes of one store
# with PostgreSQL, an object store and nginx, and uses them; then lets them, the database, the disk and
# the network fail for a minute.
set -euo pipefail
cd "$(dirname "$0")/.."

Scripts/setup.sh cluster
Scripts/s3-server.sh
Scripts/build.sh --product openstore
export PYTHONDONTWRITEBYTECODE=1
python3 Tests/Cluster/gateway.py
python3 Tests/Cluster/run.py "${@:--v}"
python3 Tests/Faults/run.py --cluster --seconds 60 --seed 2
