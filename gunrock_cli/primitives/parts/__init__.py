"""What primitives say to run on several devices, beside what they say to run on one."""
