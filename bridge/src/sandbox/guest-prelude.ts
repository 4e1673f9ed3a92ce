import type { SandboxTools } from "./sandbox.ts";

/** Host functions that block the program, and those that do not: globals of the guest which the program has no use for. */
export const BLOCKING = "__xwBlocking";
export const CONCURRENT = "__xwConcurrent";
export const PRINT = "print";

/**
 * Runs inside the sandbox, before the program, which cannot see it. It builds the frozen `tools` and
 * `console`, and packs long texts into arrays: the sandbox carries a byte array ten times faster than
 * a string, and would mend half characters on the way. One line without comments, so that the program's own lines keep their numbers.
 */
const PRELUDE = `
(blocking, concurrent, groups, program) => {
	const pack = (text) => {
		if (text.length < 1024 && text.isWellFormed()) return text;
		const units = new Uint16Array(text.length);
		let bits = 0;
		for (let index = 0; index < units.length; index++) bits |= units[index] = text.charCodeAt(index);
		return bits < 256 ? new Uint8Array(units) : units;
	};
	const unpacked = (input) => {
		const rest = Object.create(null);
		const packed = [];
		for (const key of Object.keys(input)) {
			const value = input[key];
			const sent = typeof value === "string" ? pack(value) : value;
			if (Object.is(sent, value)) rest[key] = value; else packed.push([key, sent]);
		}
		return [rest, packed];
	};
	const isRecord = (input) => typeof input === "object" && input !== null && !Array.isArray(input);
	const tool = (host, name) => async (input) => await host[name](...(isRecord(input) ? unpacked(input) : [input, []]));
	const tools = {};
	for (const [group, name, isConcurrent] of groups) {
		tools[group] ??= {};
		tools[group][name] = tool(isConcurrent ? concurrent : blocking, group + "_" + name);
	}
	for (const group of Object.values(tools)) Object.freeze(group);
	Object.defineProperty(globalThis, "tools", { value: Object.freeze(tools), enumerable: true });
	const show = (value) => {
		try {
			if (typeof value === "string") return value;
			if (typeof value === "bigint") return value + "n";
			if (value instanceof Error) return value.name + ": " + value.message;
			return (typeof value === "object" ? JSON.stringify(value) : undefined) ?? String(value);
		} catch { return "[unprintable]"; }
	};
	for (const level of ["log", "info", "warn", "error", "debug"]) {
		console[level] = (...values) => { blocking.${PRINT}(level, pack(values.map(show).join(" "))); };
	}
	Object.freeze(console);
	const rendered = (value) => {
		if (value === undefined) return undefined;
		const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
		if (typeof text !== "string") throw new TypeError("The returned " + typeof value + " has no JSON form.");
		return pack(text);
	};
	const failed = (thrown) => {
		if (thrown instanceof Error) throw thrown;
		const error = new Error(show(thrown));
		error.name = "Thrown";
		throw error;
	};
	return program().then(rendered, failed);
}`
	.split("\n")
	.map((line) => line.trim())
	.join(" ");

export interface GuestSource {
	readonly text: string;
	/** Columns that the first line of the program was moved to the right. */
	readonly firstLineOffset: number;
	/** Lines of the program itself. */
	readonly lines: number;
}

/** The program with all that the guest needs around it, the program's first line on line 1. */
export function guestSource(program: string, tools: SandboxTools): GuestSource {
	const groups = Object.entries(tools).flatMap(([group, members]) =>
		Object.entries(members).map(([name, tool]) => [group, name, tool.mode === "concurrent"]),
	);
	const concurrent = groups.some(([, , isConcurrent]) => isConcurrent) ? CONCURRENT : "undefined";
	const head = `return await (${PRELUDE})(${BLOCKING}, ${concurrent}, ${JSON.stringify(groups)}, async function () { "use strict"; `;
	return { text: `${head}${program}\n});`, firstLineOffset: head.length, lines: program.split("\n").length };
}
