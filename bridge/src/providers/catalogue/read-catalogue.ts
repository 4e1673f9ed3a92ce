import { readFileSync } from "node:fs";
import { AgentCatalogue, type Unavailable } from "@xworkmate/contracts";
import { systemErrorCode } from "@xworkmate/platform/errors";
import { type CatalogueEntry, catalogue, entriesOf } from "./catalogue.ts";

export interface ReadCatalogue {
	readonly entries: readonly CatalogueEntry[];
	/** Why the catalogue in the home is not used. */
	readonly problem?: Unavailable;
}

const MAX_CHARACTERS = 4 * 1024 * 1024;
/** The bridge's own providers, whose ids no agent can have. */
export const ownIds: readonly string[] = ["script", "assistant", "openclaw"];

/** Reads the catalogue in the home. If there is none, or it cannot be used, returns the one that comes with XWorkmate. */
export function readCatalogue(path: string): ReadCatalogue {
	const read = readEntries(path);
	if (read === undefined) return { entries: catalogue };
	return typeof read === "string" ? { entries: catalogue, problem: unusable(path, read) } : { entries: read };
}

/** The entries of a file; undefined if there is no file; a text that says what is wrong if it cannot be used. */
function readEntries(path: string): readonly CatalogueEntry[] | string | undefined {
	let text: string;
	try {
		text = readFileSync(path, "utf8");
	} catch (error) {
		const code = systemErrorCode(error);
		return code === "ENOENT" ? undefined : `can't be read (${code ?? "unknown"})`;
	}
	if (text.length > MAX_CHARACTERS) return "is longer than 4.2 million characters";
	const value = parsedJson(text);
	if (value === undefined) return "is not valid JSON";
	const parsed = AgentCatalogue.safeParse(value);
	if (!parsed.success) {
		const [issue] = parsed.error.issues;
		const place = (issue?.path ?? []).map(String).join(".");
		return `is not a catalogue of agents (${place === "" ? "" : `${place}: `}${issue?.message ?? "its format is not valid"})`;
	}
	const entries = entriesOf(parsed.data);
	const own = entries.find(({ providerId }) => ownIds.includes(providerId));
	if (own !== undefined)
		return `has an agent with the id ${own.providerId}, which belongs to one of XWorkmate's own agents, so it needs another id`;
	const repeated = entries.find(({ providerId }, index) => entries.findIndex((other) => other.providerId === providerId) < index);
	return repeated === undefined ? entries : `has the agent ${repeated.providerId} more than once`;
}

/** The value of a JSON text; undefined, which is not a JSON value, if the text is not JSON. */
function parsedJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function unusable(path: string, what: string): Unavailable {
	const fix = "Correct the file or remove it, then restart the bridge.";
	return { code: "CATALOGUE_UNUSABLE", message: `${path} ${what}. The catalogue that comes with XWorkmate is used instead.`, fix };
}
