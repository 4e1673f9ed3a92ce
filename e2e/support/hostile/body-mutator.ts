import { seededRandom } from "../machine/seeded-random.ts";

type Mutation = (body: Buffer, random: () => number) => Buffer;

const below = (random: () => number, count: number) => Math.floor(random() * count);

function inserted(body: Buffer, at: number, text: string): Buffer {
	return Buffer.concat([body.subarray(0, at), Buffer.from(text), body.subarray(at)]);
}

/** Other text in the place of one value: the rest of the body is left as it is. */
function withValue(body: Buffer, random: () => number, value: string): Buffer {
	const text = body.toString("utf8");
	const found = [...text.matchAll(/:(?:"[^"]*"|\d+|true|false|null|\{\}|\[\])/g)];
	const match = found[below(random, found.length)];
	return match === undefined ? body : Buffer.from(`${text.slice(0, match.index)}:${value}${text.slice(match.index + match[0].length)}`);
}

const oddValue = (random: () => number) => VALUES[below(random, VALUES.length)] ?? "null";

const VALUES = [
	"1e309",
	"-0",
	"123456789012345678901234567890",
	"0.1e-400",
	"1e+400",
	"-",
	"01",
	"null",
	"true",
	"[]",
	"{}",
	'""',
	'"\\ud800"',
	'"\\u0000"',
	'"\u202e\u0301é"',
	'"__proto__"',
	"NaN",
	"undefined",
	"[[[[]]]]",
	'{"__proto__":{"x":1}}',
	'{"constructor":{"prototype":1}}',
] as const;

const mutations: readonly Mutation[] = [
	function flipBits(body, random) {
		const changed = Buffer.from(body);
		for (let flips = 1 + below(random, 4); flips > 0; flips--) {
			const at = below(random, changed.length);
			changed[at] = (changed[at] ?? 0) ^ (1 << below(random, 8));
		}
		return changed;
	},
	function truncate(body, random) {
		return body.subarray(0, below(random, body.length));
	},
	function duplicateSlice(body, random) {
		const from = below(random, body.length);
		return Buffer.concat([body.subarray(0, from + below(random, body.length - from)), body.subarray(from)]);
	},
	function removeSlice(body, random) {
		const from = below(random, body.length);
		return Buffer.concat([body.subarray(0, from), body.subarray(from + below(random, 20))]);
	},
	function oddValueInPlace(body, random) {
		return withValue(body, random, oddValue(random));
	},
	function oddKey(body, random) {
		return inserted(body, body.indexOf("{") + 1, `"k${below(random, 9)}":${oddValue(random)},`);
	},
	function floodKeys(body, random) {
		const count = below(random, 10) === 0 ? 2_000 : 20;
		const keys = Array.from({ length: count }, (_, index) => `"k${index}":${index}`).join();
		const at = body.indexOf("{") + 1;
		return inserted(body, below(random, 2) === 0 ? at : body.indexOf("{", at) + 1 || at, `${keys},`);
	},
	function duplicateKeys(body, random) {
		const text = body.toString("utf8");
		const found = [...text.matchAll(/"(\w+)":/g)];
		const match = found[below(random, found.length)];
		return match === undefined ? body : inserted(body, Buffer.byteLength(text.slice(0, match.index)), `"${match[1]}":${oddValue(random)},`);
	},
	function nest(body, random) {
		const depth = [5, 60, 70, 1_000][below(random, 4)] ?? 5;
		const [open, close] = below(random, 2) === 0 ? ["[", "]"] : ['{"a":', "}"];
		return withValue(body, random, `${open.repeat(depth)}1${close.repeat(depth)}`);
	},
	function renameKey(body, random) {
		const names = ["id", "method", "params", "jsonrpc", "threadId", "runId", "routing", "prompt"];
		const name = names[below(random, names.length)] ?? "id";
		return Buffer.from(
			body.toString("utf8").replaceAll(`"${name}"`, `"${["__proto__", "toString", `${name} `, name.toUpperCase(), ""][below(random, 5)]}"`),
		);
	},
	function longText(body, random) {
		return withValue(body, random, `"${"ä".repeat(below(random, 5_000))}"`);
	},
	function batch(body, random) {
		return Buffer.from(`[${Array.from({ length: below(random, 8) }, () => body.toString("utf8")).join()}]`);
	},
];

export interface Sample {
	readonly method: string;
	readonly params: unknown;
}

/** A request mutated once to three times. */
export function mutatedBody(samples: readonly Sample[], seed: number): Buffer {
	const random = seededRandom(seed);
	const sample = samples[below(random, samples.length)];
	const id = [1, "a", null, -1, 1.5][below(random, 5)];
	let body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", id, ...sample }));
	for (let times = 1 + below(random, 3); times > 0; times--) {
		if (body.length === 0) break;
		const mutate = mutations[below(random, mutations.length)];
		body = Buffer.from(mutate?.(body, random) ?? body);
	}
	return body;
}
