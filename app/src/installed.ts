#!/usr/bin/env node
import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

// The entry of the installed package. Compiled code is cached between processes, which halves the time of every start; in a checkout,
// scripts/toolchain.mjs does this. The cache is not in the system's temporary folder, because other users can write there.
const { NODE_COMPILE_CACHE, XDG_CACHE_HOME } = process.env;
const folder = NODE_COMPILE_CACHE || join(XDG_CACHE_HOME || join(homedir(), ".cache"), "xworkmate", "compiled");
// Inherited by the bridge and everything that it starts.
process.env.NODE_COMPILE_CACHE = folder;
enableCompileCache(folder);
await import("./main.ts");
