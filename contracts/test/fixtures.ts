import { readdirSync, readFileSync } from "node:fs";
import { z } from "zod";

const Path = z.string().min(1);

/** A value that must not pass: given whole, or as an accepted one with one field removed or replaced. */
const Rejected = z.union([
	z.strictObject({ why: z.string(), from: z.int(), remove: Path }),
	z.strictObject({ why: z.string(), from: z.int(), at: Path, value: z.json() }),
	z.strictObject({ why: z.string(), value: z.json() }),
]);

const FixtureFile = z.record(z.string(), z.strictObject({ accepted: z.array(z.json()).min(1), rejected: z.array(Rejected).min(1) }));

export interface Fixture {
	readonly schema: string;
	readonly accepted: readonly unknown[];
	readonly rejected: readonly { readonly why: string; readonly value: unknown }[];
}

/** Every fixture of `fixtures/*.json`, by the schema it is for. */
export function readFixtures(): Fixture[] {
	const folder = new URL("./fixtures/", import.meta.url);
	return readdirSync(folder).flatMap((name) => {
		const file = FixtureFile.parse(JSON.parse(readFileSync(new URL(name, folder), "utf8")));
		return Object.entries(file).map(([schema, { accepted, rejected }]) => ({
			schema,
			accepted,
			rejected: rejected.map((entry) => ({ why: entry.why, value: rejectedValue(entry, accepted) })),
		}));
	});
}

function rejectedValue(entry: z.infer<typeof Rejected>, accepted: readonly unknown[]): unknown {
	if (!("from" in entry)) return entry.value;
	const value = structuredClone(accepted[entry.from]);
	const path = ("remove" in entry ? entry.remove : entry.at).split(".");
	const last = path.pop() ?? "";
	const parent = path.reduce((record, key) => recordIn(record[key], entry.why), recordIn(value, entry.why));
	if ("remove" in entry) {
		if (!(last in parent)) throw new RangeError(`${entry.why}: there is no ${entry.remove} to remove`);
		delete parent[last];
	} else parent[last] = entry.value;
	return value;
}

/** The record itself, no copy, so that a change of it shows in the whole. */
function recordIn(value: unknown, why: string): Record<string, unknown> {
	if (!isRecord(value)) throw new RangeError(`${why}: there is nothing to change at this place`);
	return value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null;
}
