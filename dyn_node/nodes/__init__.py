"""The ROS 2 nodes. Nothing outside this package imports rclpy; see `dynamics` and `solver`."""
