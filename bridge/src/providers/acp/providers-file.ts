import { readFileSync } from "node:fs";
import { AgentDefinition, omitUndefined, ProviderId, ProvidersFile } from "@xworkmate/contracts";
import { errorMessage, systemErrorCode } from "@xworkmate/platform/errors";
import { type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import { z } from "zod";

/** A part of providers.json that is not used, and why. */
export interface ProvidersFileProblem {
	/** The file, and the place in it: `<file>:<line>:<column>` or `<file> at agents[2].name`. */
	readonly place: string;
	readonly message: string;
	/** The provider that the user meant to define, when that much can be read. */
	readonly providerId?: ProviderId;
}

export interface ReadProvidersFile {
	readonly agents: readonly AgentDefinition[];
	readonly problems: readonly ProvidersFileProblem[];
}

const MAX_BYTES = 1024 * 1024;
const Loose = z.object({ agents: z.array(z.unknown()) });
const Named = z.object({ id: ProviderId });

/** Reads `<home>/providers.json` (docs/protocol.md#files-and-settings). A missing file defines nothing; a bad entry does not affect the others. */
export function readProvidersFile(path: string): ReadProvidersFile {
	const text = readText(path);
	if (text === undefined) return { agents: [], problems: [] };
	if (typeof text !== "string") return { agents: [], problems: [text] };
	const errors: ParseError[] = [];
	const value: unknown = parse(text, errors, { disallowComments: true });
	const [first] = errors;
	if (first !== undefined) return { agents: [], problems: [jsonProblem(path, text, first)] };
	return readAgents(path, value);
}

function readText(path: string): string | undefined | ProvidersFileProblem {
	try {
		const text = readFileSync(path, "utf8");
		return text.length <= MAX_BYTES ? text : { place: path, message: `The file has more than ${MAX_BYTES} characters.` };
	} catch (error) {
		if (systemErrorCode(error) === "ENOENT") return undefined;
		return { place: path, message: `The file can't be read: ${errorMessage(error)}` };
	}
}

function jsonProblem(path: string, text: string, { error, offset }: ParseError): ProvidersFileProblem {
	const before = text.slice(0, offset).split("\n");
	const place = `${path}:${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
	return { place, message: `The file is not JSON (${printParseErrorCode(error)}).` };
}

function readAgents(path: string, value: unknown): ReadProvidersFile {
	const whole = ProvidersFile.safeParse(value);
	const loose = Loose.safeParse(value);
	if (whole.success) return withoutRepeats(path, whole.data.agents);
	if (!loose.success) return { agents: [], problems: problemsOf(path, loose.error, []) };
	const agents: AgentDefinition[] = [];
	// A fault outside the entries (an unknown key at the top level) is reported, and the entries are still used.
	const outside = whole.error.issues.filter(({ path: at }) => at.length < 2);
	const problems = outside.map((issue) => ({ place: placeOf(path, issue.path), message: issue.message }) as ProvidersFileProblem);
	for (const [index, entry] of loose.data.agents.entries()) {
		const parsed = AgentDefinition.safeParse(entry);
		const providerId = Named.safeParse(entry).data?.id;
		if (parsed.success) agents.push(parsed.data);
		else problems.push(...problemsOf(path, parsed.error, ["agents", index], providerId));
	}
	const kept = withoutRepeats(path, agents);
	return { agents: kept.agents, problems: [...problems, ...kept.problems] };
}

function withoutRepeats(path: string, agents: readonly AgentDefinition[]): ReadProvidersFile {
	const repeated = agents.filter((agent, index) => agents.findIndex(({ id }) => id === agent.id) < index);
	const problems = repeated.map(({ id }) => ({
		place: path,
		message: `The id ${id} is defined more than once, so only the first definition is used.`,
	}));
	return { agents: agents.filter((agent) => !repeated.includes(agent)), problems };
}

function problemsOf(path: string, error: z.ZodError, at: readonly PropertyKey[], providerId?: ProviderId): ProvidersFileProblem[] {
	return error.issues.map((issue) => ({
		place: placeOf(path, [...at, ...issue.path]),
		message: issue.message,
		...omitUndefined({ providerId }),
	}));
}

function placeOf(path: string, at: readonly PropertyKey[]): string {
	if (at.length === 0) return path;
	const steps = at.map((key, index) => (typeof key === "number" ? `[${key}]` : `${index === 0 ? "" : "."}${String(key)}`));
	return `${path} at ${steps.join("")}`;
}
