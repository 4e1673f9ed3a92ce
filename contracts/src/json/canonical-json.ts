/**
 * The canonical form of a JSON value (RFC 8785): keys in order of their UTF-16 units, no white space, numbers as ECMAScript writes them.
 * Equal values have equal texts, so that a hash of the text stands for the value. Members that are undefined are left out.
 * @throws TypeError for what JSON cannot hold: a number that is not finite, a lone surrogate, a function, a bigint, nesting without end
 */
export function canonicalJson(value: unknown): string {
	if (value === null || typeof value === "boolean") return String(value);
	if (typeof value === "number") {
		if (!Number.isFinite(value)) throw new TypeError(`${value} has no JSON form`);
		return JSON.stringify(value);
	}
	if (typeof value === "string") return stringOf(value);
	if (Array.isArray(value)) return `[${value.map((element) => canonicalJson(element === undefined ? null : element)).join(",")}]`;
	if (typeof value === "object") return objectOf(value);
	throw new TypeError(`a ${typeof value} has no JSON form`);
}

function stringOf(text: string): string {
	if (!text.isWellFormed()) throw new TypeError("a text with a lone surrogate has no canonical form");
	return JSON.stringify(text);
}

function objectOf(value: object): string {
	const members = Object.entries(value).filter(([, member]) => member !== undefined);
	members.sort(([one], [other]) => (one < other ? -1 : 1));
	return `{${members.map(([key, member]) => `${stringOf(key)}:${canonicalJson(member)}`).join(",")}}`;
}
