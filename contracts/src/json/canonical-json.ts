/** The deepest nesting that has a canonical form. No tool input needs more, and code that reads a deeper value could run out of stack. */
const MAX_DEPTH = 1_000;

/**
 * The canonical form of a JSON value (RFC 8785): keys in order of their UTF-16 units, no white space, numbers as ECMAScript writes them.
 * Equal values have the same JSON, so a hash of the JSON identifies the value. Members that are undefined are left out.
 * @throws TypeError for what JSON cannot hold: a number that is not finite, a lone surrogate, a function, a bigint, a date or another
 * object of a class, more than 1,000 levels
 */
export function canonicalJson(value: unknown): string {
	return textOf(value, MAX_DEPTH);
}

function textOf(value: unknown, depth: number): string {
	switch (typeof value) {
		case "string":
			return stringOf(value);
		case "number":
			if (!Number.isFinite(value)) throw new TypeError(`${value} has no JSON form`);
			return JSON.stringify(value);
		case "boolean":
			return String(value);
		case "object":
			if (value === null) return "null";
			if (depth === 0) throw new TypeError(`a value of more than ${MAX_DEPTH} levels has no canonical form`);
			return Array.isArray(value) ? arrayOf(value, depth - 1) : objectOf(value, depth - 1);
		default:
			throw new TypeError(`a value of type ${typeof value} has no JSON form`);
	}
}

/** Text that needs no escaping and has no surrogates, so neither step below is necessary. */
const PLAIN = /^[ !#-[\]-~]*$/;

function stringOf(text: string): string {
	if (PLAIN.test(text)) return `"${text}"`;
	if (!text.isWellFormed()) throw new TypeError("a text with a lone surrogate has no canonical form");
	return JSON.stringify(text);
}

function arrayOf(elements: readonly unknown[], depth: number): string {
	// `Array.from` also visits the holes of a sparse array, which `map` would skip.
	return `[${Array.from(elements, (element) => textOf(element === undefined ? null : element, depth)).join(",")}]`;
}

function objectOf(value: object, depth: number): string {
	const prototype: unknown = Object.getPrototypeOf(value);
	if (prototype !== Object.prototype && prototype !== null) throw new TypeError("a class instance has no canonical form");
	let text = "";
	for (const key of Object.keys(value).sort()) {
		// An own member named `__proto__` is read like any other.
		const member = (value as Record<string, unknown>)[key];
		if (member !== undefined) text += `${text === "" ? "" : ","}${stringOf(key)}:${textOf(member, depth)}`;
	}
	return `{${text}}`;
}
