import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { z } from "zod";
import { wrapProgram } from "../../bridge/src/sandbox/engine/guest-program.ts";
import { answerJobs } from "./parent.ts";

/** What is used of quickjs-wasi, which is the bridge's package and not the bench's. */
interface Engine {
	evalCode(source: string, file: string, flags: number): unknown;
	executePendingJobs(): void;
	resolvePromise(promise: unknown): Promise<{ readonly value: { getProp(name: string): unknown } }>;
	readonly undefined: unknown;
	callFunction(func: unknown, self: unknown): unknown;
	dispose(): void;
}
interface Library {
	readonly QuickJS: { create(options: object): Promise<Engine> };
	readonly EvalFlags: { readonly TYPE_MODULE: number };
}
declare namespace WebAssembly {
	class Module {
		constructor(bytes: Uint8Array);
	}
}

const ofBridge = createRequire(new URL("../../bridge/package.json", import.meta.url));
const { QuickJS, EvalFlags } = ofBridge("quickjs-wasi") as Library;
const wasm = new WebAssembly.Module(readFileSync(ofBridge.resolve("quickjs-wasi/quickjs.wasm")));
const Job = z.object({ source: z.string() });
const limits = { memoryLimit: 128 * 2 ** 20, maxStackSize: 400 * 1024, interruptHandler: () => false };

/** Runs each program in its own engine, without anything around it. */
answerJobs(async (job) => {
	const vm = await QuickJS.create({ wasm, ...limits });
	const loading = vm.evalCode(wrapProgram(Job.parse(job).source), "program.js", EvalFlags.TYPE_MODULE);
	vm.executePendingJobs();
	const { value } = await vm.resolvePromise(loading);
	const running = vm.callFunction(value.getProp("default"), vm.undefined);
	vm.executePendingJobs();
	await vm.resolvePromise(running);
	vm.dispose();
});
