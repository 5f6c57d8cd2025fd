"""What primitives define in order to run on several devices, besides what they define for one."""
