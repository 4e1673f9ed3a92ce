/** The host functions that the prelude calls. Only strings are passed, never a value of the program. */
export interface PreludeHost {
	print(level: string, text: string): void;
	/**
	 * Makes a call and waits for the answer, which is JSON. `texts`: key, text, key, text, and so on, for properties that are not in `json`.
	 * null: the input is too deeply nested and was not sent.
	 */
	call(tool: string, json: string | undefined, ...texts: string[]): string | null | undefined;
	/** Does the same as `call` without waiting, and returns the id under which the answer is settled later. */
	begin(tool: string, json: string | undefined, ...texts: string[]): number | null;
	returned(text: string | undefined): void;
	threw(name: string, message: string, stack: string): void;
	/** Ends the program because a text is longer than `textUnits`. */
	tooLong(): void;
}

/** Limits that the program's process passes to the prelude, so that both use the same ones. */
export interface PreludeBounds {
	/** The longest text that may be passed, in UTF-16 units. */
	readonly textUnits: number;
	readonly textsPerCall: number;
	readonly openCalls: number;
	/** The limits on calls to typed tools. */
	readonly typedCalls: { readonly all: number; readonly open: number };
	/** The seed of `Math.random`. */
	readonly seed: number;
}

type Body = () => Promise<unknown>;

/** The functions with which the process drives a program. */
interface Driver {
	readonly run: (body: Body) => void;
	/** Passes the program the answer to a call made with `begin`. */
	readonly settle: (call: number, json: string | undefined) => void;
}
type ToolFace = readonly [group: string, name: string, mode: "blocking" | "concurrent" | "typed"];

/**
 * Runs inside the engine before the program, which can neither see nor change it: the prelude saves the built-ins that it needs before the
 * program begins. It is passed as source text, so it must not refer to anything outside.
 *
 * It builds the frozen `tools` and `console`, removes everything that creates code from text, and returns the driver of a program. It
 * converts what a program passes to JSON, using the program's own time and memory. Long texts are passed separately, unencoded.
 */
function prelude(host: PreludeHost, tools: readonly ToolFace[], bounds: PreludeBounds): Driver {
	const LONG_TEXT = 1024;
	const LONG_KEY = 64;
	const MAX_MESSAGE = 4096;
	const MAX_STACK = 16384;
	const { parse, stringify } = JSON;
	const { create, defineProperty, freeze, getOwnPropertyNames, keys } = Object;
	const { isArray } = Array;
	const { apply } = Reflect;
	const { call, begin } = host;
	const Later = Promise;
	const Failure = Error;
	const RangeFailure = RangeError;
	const TypeFailure = TypeError;
	const Text = String;
	const { isWellFormed, slice } = Text.prototype;

	const text = (value: string): string => {
		if (value.length > bounds.textUnits) host.tooLong();
		return value;
	};
	/** The arguments of a host call: the tool, the input as JSON without its long texts, and those texts. */
	const packed = (tool: string, input: unknown): unknown[] => {
		const texts: string[] = [];
		let rest = input;
		if (typeof input === "object" && input !== null && !isArray(input) && !("toJSON" in input)) {
			const others = create(null);
			const names = keys(input);
			for (let index = 0; index < names.length; index++) {
				const key = names[index] as string;
				const value = (input as Record<string, unknown>)[key];
				const beside =
					typeof value === "string" &&
					value.length >= LONG_TEXT &&
					key.length <= LONG_KEY &&
					texts.length < bounds.textsPerCall * 2 &&
					apply(isWellFormed, value, []) &&
					apply(isWellFormed, key, []);
				if (beside) {
					texts[texts.length] = key;
					texts[texts.length] = text(value);
				} else others[key] = value;
			}
			rest = others;
		}
		const json: string | undefined = stringify(rest);
		const passed: unknown[] = [tool, json === undefined ? undefined : text(json)];
		for (let index = 0; index < texts.length; index++) passed[passed.length] = texts[index];
		return passed;
	};
	const unpacked = (json: string | null | undefined): unknown => {
		if (json === null) throw new RangeFailure(TOO_DEEP);
		return json === undefined ? undefined : parse(json);
	};

	const TOO_DEEP = "a tool's input is nested too deeply";
	const waiting = new Map<number, (json: string | undefined) => void>();
	const blocking = (tool: string) => async (input: unknown) => {
		return unpacked(apply(call, undefined, packed(tool, input)));
	};
	const concurrent = (tool: string) => async (input: unknown) => {
		const passed = packed(tool, input);
		if (waiting.size >= bounds.openCalls) throw new RangeFailure(`more than ${bounds.openCalls} tool calls at once`);
		const number = apply(begin, undefined, passed);
		if (number === null) throw new RangeFailure(TOO_DEEP);
		return unpacked(await new Later<string | undefined>((resolve) => waiting.set(number, resolve)));
	};
	const refused = (code: string, message: string) => freeze({ ok: false, error: freeze({ code, message }) });
	let typedMade = 0;
	let typedOpen = 0;
	/**
	 * Calls a typed tool. Never throws: an input that cannot be sent gets an answer too. Calls are counted here, so that only the program
	 * itself determines which are refused.
	 */
	const typed = (tool: string) => async (input: unknown) => {
		if (typedMade >= bounds.typedCalls.all) return refused("LIMIT_EXCEEDED", `a run can make at most ${bounds.typedCalls.all} calls`);
		if (typedOpen >= bounds.typedCalls.open)
			return refused("LIMIT_EXCEEDED", `at most ${bounds.typedCalls.open} calls may be open at once`);
		let passed: unknown[];
		try {
			passed = packed(tool, input);
		} catch {
			return refused("INVALID_INPUT", "the input can't be converted to JSON");
		}
		const number = apply(begin, undefined, passed);
		if (number === null) return refused("INVALID_INPUT", "the input is nested too deeply");
		typedMade++;
		typedOpen++;
		const answer = await new Later<string | undefined>((resolve) => waiting.set(number as number, resolve));
		typedOpen--;
		return unpacked(answer);
	};
	const ways = { blocking, concurrent, typed };
	const groups: Record<string, Record<string, unknown>> = create(null);
	for (const [group, name, mode] of tools) {
		groups[group] ??= {};
		(groups[group] as Record<string, unknown>)[name] = ways[mode](`${group}_${name}`);
	}
	const shownTools: Record<string, unknown> = {};
	for (const group of keys(groups)) shownTools[group] = freeze(groups[group]);
	defineProperty(globalThis, "tools", { value: freeze(shownTools), enumerable: true });

	const show = (value: unknown): string => {
		try {
			if (typeof value === "string") return value;
			if (typeof value === "bigint") return `${value}n`;
			if (value instanceof Failure) return `${Text(value.name)}: ${Text(value.message)}`;
			return (typeof value === "object" ? stringify(value) : undefined) ?? Text(value);
		} catch {
			return "[unprintable]";
		}
	};
	const printing =
		(level: string) =>
		(...values: unknown[]) => {
			let line = "";
			for (let index = 0; index < values.length; index++) line += (index === 0 ? "" : " ") + show(values[index]);
			host.print(level, text(line));
		};
	const shownConsole: Record<string, unknown> = {};
	for (const level of ["log", "info", "warn", "error", "debug"]) shownConsole[level] = printing(level);
	defineProperty(globalThis, "console", { value: freeze(shownConsole) });

	/** mulberry32, which returns the same numbers for the same seed. */
	const seeded = () => {
		let state = bounds.seed;
		const { imul } = Math;
		const random = (): number => {
			state = (state + 0x6d2b79f5) | 0;
			let mixed = imul(state ^ (state >>> 15), 1 | state);
			mixed = (mixed + imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
			return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
		};
		defineProperty(Math, "random", { value: random });
	};
	seeded();

	const harden = () => {
		const gone = ["AsyncDisposableStack", "DOMException", "DisposableStack", "SuppressedError", "SharedArrayBuffer", "Atomics"];
		for (const name of [...gone, "atob", "btoa", "queueMicrotask", "performance", "eval"]) Reflect.deleteProperty(globalThis, name);
		// Stack frames would give a program access to the functions that called it.
		defineProperty(Failure, "prepareStackTrace", { get: () => undefined, set: () => undefined });
		function Blocked(): never {
			throw new TypeFailure("Function constructor is not allowed");
		}
		const makers = [Function, (async () => {}).constructor, function* () {}.constructor, async function* () {}.constructor];
		for (const maker of makers) defineProperty(maker.prototype, "constructor", { value: Blocked });
		Blocked.prototype = Function.prototype;
		defineProperty(globalThis, "Function", { value: Blocked });
		for (const maker of makers) {
			freeze(maker);
			freeze(maker.prototype);
		}
		for (const name of getOwnPropertyNames(globalThis)) {
			const value: unknown = Reflect.get(globalThis, name);
			// Error classes set their own `name`, which a frozen error prototype would prevent.
			const error = typeof value === "function" && (value === Failure || value.prototype instanceof Failure);
			if (value === globalThis || error || (typeof value !== "function" && typeof value !== "object") || value === null) continue;
			freeze(value);
			if (typeof value === "function" && value.prototype !== undefined) freeze(value.prototype);
		}
	};
	harden();

	const word = (value: unknown, units: number): string => {
		const whole = typeof value === "string" ? value : "";
		return whole.length > units ? `${apply(slice, whole, [0, units])}…` : whole;
	};
	const threw = (thrown: unknown): void => {
		let name = "Thrown";
		let message: unknown;
		let stack: unknown = "";
		try {
			if (thrown instanceof Failure) ({ name, message, stack } = thrown);
			else message = show(thrown);
		} catch {
			message = "[an error that cannot be read]";
		}
		host.threw(word(name, MAX_MESSAGE), word(message, MAX_MESSAGE), word(stack, MAX_STACK));
	};
	const rendered = (value: unknown): string | undefined => {
		if (waiting.size > 0) throw new Failure("the program ended while a tool call was still running; await every tool call");
		if (value === undefined) return undefined;
		const shown = typeof value === "string" ? value : stringify(value, null, 2);
		if (typeof shown !== "string") throw new TypeFailure(`the returned ${typeof value} can't be converted to JSON`);
		return text(shown);
	};
	const run = async (body: Body) => {
		try {
			host.returned(rendered(await body()));
		} catch (thrown) {
			threw(thrown);
		}
	};
	const settle = (number: number, json: string | undefined) => {
		const resolve = waiting.get(number);
		waiting.delete(number);
		resolve?.(json);
	};
	return { run: (body) => void run(body), settle };
}

/** The prelude as an expression. */
export const preludeSource = `(${prelude.toString()})`;
