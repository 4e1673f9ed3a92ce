#!/usr/bin/env node
import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

// The command of the installed package. Compiled code is kept between processes, which halves the time of every start; in a checkout,
// scripts/toolchain.mjs does that. Not in the system's temporary folder, which other users can write to.
const { NODE_COMPILE_CACHE, XDG_CACHE_HOME } = process.env;
const folder = NODE_COMPILE_CACHE || join(XDG_CACHE_HOME || join(homedir(), ".cache"), "xworkmate", "compiled");
// For the bridge and all that it starts.
process.env.NODE_COMPILE_CACHE = folder;
enableCompileCache(folder);
await import("./main.ts");
