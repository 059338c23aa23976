"""Tests over real DDS: own domain, UDP (shared memory keeps a killed process's locks), this machine only."""

from __future__ import annotations

import os
from pathlib import Path

# Before anything imports rclpy. Domains above 101 would use ports that Linux hands out to others.
os.environ["ROS_DOMAIN_ID"] = str(1 + os.getpid() % 100)
os.environ["FASTDDS_BUILTIN_TRANSPORTS"] = "UDPv4"
os.environ["ROS_AUTOMATIC_DISCOVERY_RANGE"] = "LOCALHOST"
# With Fast DDS's own settings a process that starts may take three seconds to find those that run.
_profiles = Path(__file__).parents[2] / "config" / "fastdds.xml"
os.environ.setdefault("FASTRTPS_DEFAULT_PROFILES_FILE", str(_profiles))
