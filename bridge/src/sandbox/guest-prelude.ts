import type { SandboxTools } from "./sandbox.ts";

/** The host's functions in the guest: a global which the program has no use for, and which takes nothing on trust. */
export const HOST = "__xwHost";

/**
 * Runs inside the sandbox, before the program, which cannot see it. One line without comments, so that
 * the program's own lines keep their numbers. It
 * - builds the frozen `tools` and `console`;
 * - packs long texts into arrays: the sandbox carries a byte array ten times faster than a string, and
 *   would mend half characters on the way;
 * - makes concurrent calls out of blocking ones: `begin` starts a call, and while nothing else is left
 *   to do the pump asks, for longer and longer, which has settled. The library's own asynchronous calls
 *   would keep every argument until the end of the run, and wait with a busy loop;
 * - gives the program a clock: the guest's own stands still while a call blocks.
 */
const PRELUDE = `
(host, groups, make) => {
	const pack = (text) => {
		if (text.length < 1024 && text.isWellFormed()) return text;
		const units = new Uint16Array(text.length);
		let bits = 0;
		for (let index = 0; index < units.length; index++) bits |= units[index] = text.charCodeAt(index);
		return bits < 256 ? new Uint8Array(units) : units;
	};
	const packed = (input) => {
		if (typeof input !== "object" || input === null || Array.isArray(input)) return [input, []];
		const rest = Object.create(null);
		const texts = [];
		for (const key of Object.keys(input)) {
			const value = input[key];
			const sent = typeof value === "string" ? pack(value) : value;
			if (Object.is(sent, value)) rest[key] = value; else texts.push([key, sent]);
		}
		return [rest, texts];
	};
	const open = new Map();
	let pumping = false;
	let over = false;
	const pump = async () => {
		let patience = 1;
		while (open.size > 0) {
			for (let turn = 0; turn < 100; turn++) await undefined;
			if (over) return;
			const settled = host.settled(patience);
			patience = settled === undefined ? Math.min(patience * 2, 64) : 1;
			if (settled === undefined) continue;
			open.get(settled.id)(settled.answer);
			open.delete(settled.id);
		}
		pumping = false;
	};
	const blocking = (name) => async (input) => host[name](...packed(input));
	const concurrent = (name) => async (input) => {
		const id = host.begin(name, ...packed(input));
		const answer = new Promise((resolve) => { open.set(id, resolve); });
		if (!pumping) { pumping = true; pump(); }
		return answer;
	};
	const tools = {};
	for (const [group, name, mode] of groups) {
		tools[group] ??= {};
		tools[group][name] = (mode === "concurrent" ? concurrent : blocking)(group + "_" + name);
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
		console[level] = (...values) => { host.print(level, pack(values.map(show).join(" "))); };
	}
	Object.freeze(console);
	const Clock = function (...parts) {
		if (new.target === undefined) return new Date(host.now()).toString();
		return Reflect.construct(Date, parts.length === 0 ? [host.now()] : parts, new.target);
	};
	Clock.prototype = Date.prototype;
	Object.defineProperties(Clock, { name: { value: "Date" }, length: { value: 7 } });
	Object.freeze(Object.assign(Clock, { now: () => host.now(), parse: Date.parse, UTC: Date.UTC }));
	const rendered = (value) => {
		over = true;
		if (open.size > 0) throw new Error("the program ended while a tool was still at work; await every tool call");
		if (value === undefined) return undefined;
		const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
		if (typeof text !== "string") throw new TypeError("the returned " + typeof value + " has no JSON form");
		return pack(text);
	};
	const failed = (thrown) => {
		over = true;
		if (thrown instanceof Error) throw thrown;
		const error = new Error(show(thrown));
		error.name = "Thrown";
		throw error;
	};
	return make(Clock)().then(rendered, failed);
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
		Object.entries(members).map(([name, { mode }]) => [group, name, mode]),
	);
	const head = `return await (${PRELUDE})(${HOST}, ${JSON.stringify(groups)}, (Date) => async function () { "use strict"; `;
	return { text: `${head}${program}\n});`, firstLineOffset: head.length, lines: program.split("\n").length };
}
