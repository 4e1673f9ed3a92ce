import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

type Call = (...args: unknown[]) => unknown;

/** Calls of the file system that take a path, and those that failed. */
export interface FileCalls {
	readonly names: string[];
	readonly failed: string[];
}

const BY_DESCRIPTOR = /^(close|read|write|writev|readv|fstat|fsync|fdatasync|ftruncate|fchmod|fchown|futimes)(Sync)?$/;

/** What `work` asks of the file system. Everything else in this process must be still meanwhile. */
export async function countFileCalls(work: () => Promise<void>): Promise<FileCalls> {
	const calls: FileCalls = { names: [], failed: [] };
	const undo = [fs, fs.promises].flatMap((functions) => Object.keys(functions).flatMap((name) => counted(functions, name, calls)));
	syncBuiltinESMExports();
	try {
		await work();
	} finally {
		for (const restore of undo) restore();
		syncBuiltinESMExports();
	}
	return calls;
}

function counted(functions: object, name: string, calls: FileCalls): (() => void)[] {
	const original: unknown = Reflect.get(functions, name);
	if (!isCall(original) || /^[A-Z_]/.test(name) || BY_DESCRIPTOR.test(name)) return [];
	const wrapped = Object.assign(watch(original, name, calls), original);
	const native: unknown = Reflect.get(original, "native");
	if (isCall(native)) Object.assign(wrapped, { native: watch(native, `${name}.native`, calls) });
	Reflect.set(functions, name, wrapped);
	return [() => void Reflect.set(functions, name, original)];
}

function watch(original: Call, name: string, calls: FileCalls): Call {
	return (...args) => {
		calls.names.push(name);
		const failed = (error: unknown): never => {
			calls.failed.push(name);
			throw error;
		};
		try {
			const result = original(...args);
			return result instanceof Promise ? result.catch(failed) : result;
		} catch (error) {
			return failed(error);
		}
	};
}

function isCall(value: unknown): value is Call {
	return typeof value === "function";
}
