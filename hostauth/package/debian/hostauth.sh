#!/bin/sh
# Starts hostauth without systemd. With systemd: systemctl start hostauth
exec /usr/lib/hostauth/node /usr/lib/hostauth/hostauth.js "$@"
