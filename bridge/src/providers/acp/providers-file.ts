import { readFileSync } from "node:fs";
import { AgentDefinition, omitUndefined, ProviderId, ProvidersFile } from "@xworkmate/contracts";
import { errorMessage, systemErrorCode } from "@xworkmate/platform/errors";
import { findNodeAtLocation, getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { z } from "zod";
import { ownIds } from "../catalogue/read-catalogue.ts";

/** A part of providers.json that is not used, and why. */
export interface ProvidersFileProblem {
	/** The file and, if known, the position in it: `<file>:<line>:<column>` or `<file>:<line> at agents[2].name`. */
	readonly place: string;
	readonly message: string;
	/** The provider that the user meant to define, if its id is readable. */
	readonly providerId?: ProviderId;
}

export interface ReadProvidersFile {
	readonly agents: readonly AgentDefinition[];
	readonly problems: readonly ProvidersFileProblem[];
}

const MAX_CHARACTERS = 1024 * 1024;
const Loose = z.object({ agents: z.array(z.unknown()) });
const Named = z.object({ id: ProviderId });

/**
 * Reads `<home>/providers.json` (docs/protocol.md#files-and-settings). A missing file defines nothing. A bad entry does not affect the
 * others.
 */
export function readProvidersFile(path: string): ReadProvidersFile {
	const text = readText(path);
	if (text === undefined) return { agents: [], problems: [] };
	if (typeof text !== "string") return { agents: [], problems: [text] };
	const errors: ParseError[] = [];
	const tree = parseTree(text, errors, { disallowComments: true });
	const [first] = errors;
	if (first !== undefined) return { agents: [], problems: [jsonProblem(path, text, first)] };
	return readAgents({ path, text, tree });
}

/** The text and tree of the file: problems refer to positions in it. */
interface Source {
	readonly path: string;
	readonly text: string;
	/** Never undefined in practice: the parser reports an error for a file without a value, so such a file is not read this far. */
	readonly tree: Node | undefined;
}

function readText(path: string): string | undefined | ProvidersFileProblem {
	try {
		const text = readFileSync(path, "utf8");
		return text.length <= MAX_CHARACTERS
			? text
			: { place: path, message: `The file has more than ${MAX_CHARACTERS.toLocaleString("en")} characters.` };
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

function readAgents(source: Source): ReadProvidersFile {
	const value: unknown = source.tree && getNodeValue(source.tree);
	const whole = ProvidersFile.safeParse(value);
	const loose = Loose.safeParse(value);
	if (whole.success) return withUsableIds(source, whole.data.agents);
	if (!loose.success) return { agents: [], problems: problemsOf(source, loose.error.issues, []) };
	const agents: AgentDefinition[] = [];
	// An error outside the entries (an unknown key at the top level) is reported, and the entries are still used.
	const outside = whole.error.issues.filter(({ path: at }) => at.length < 2);
	const problems = problemsOf(source, outside, []);
	for (const [index, entry] of loose.data.agents.entries()) {
		const parsed = AgentDefinition.safeParse(entry);
		const providerId = Named.safeParse(entry).data?.id;
		if (parsed.success) agents.push(parsed.data);
		else problems.push(...problemsOf(source, parsed.error.issues, ["agents", index], providerId));
	}
	const kept = withUsableIds(source, agents);
	return { agents: kept.agents, problems: [...problems, ...kept.problems] };
}

/** The agents that can be used: the first of several with the same id, and none that has the id of one of the bridge's own agents. */
function withUsableIds({ path }: Source, agents: readonly AgentDefinition[]): ReadProvidersFile {
	const repeated = agents.filter((agent, index) => agents.findIndex(({ id }) => id === agent.id) < index);
	const problems = repeated.map(({ id }) => ({
		place: path,
		message: `The id ${id} is defined more than once, so only the first definition is used.`,
	}));
	const own = agents.filter(({ id }) => ownIds.includes(id));
	// These problems have no providerId. With one, a provider of that id would report the problem, and would be replaced by the bridge's own
	// provider.
	const taken = own.map(({ id }) => ({
		place: path,
		message: `The id ${id} belongs to one of XWorkmate's own agents, so this agent is not used. Give it another id.`,
	}));
	return { agents: agents.filter((agent) => !repeated.includes(agent) && !own.includes(agent)), problems: [...problems, ...taken] };
}

type Issue = z.core.$ZodIssue;

function problemsOf(source: Source, issues: readonly Issue[], at: readonly PropertyKey[], providerId?: ProviderId): ProvidersFileProblem[] {
	return issues.map(precise).map((issue) => ({
		place: placeOf(source, [...at, ...issue.path]),
		message: issue.message,
		...omitUndefined({ providerId }),
	}));
}

/** The most specific error of a union: that of the variant that matches best, where the error is deepest. */
function precise(issue: Issue): Issue {
	if (issue.code !== "invalid_union") return issue;
	const inner = issue.errors.flatMap(([first]) => (first === undefined ? [] : [precise(first)]));
	const [deepest] = inner.toSorted((a, b) => b.path.length - a.path.length);
	return deepest === undefined ? issue : { ...deepest, path: [...issue.path, ...deepest.path] };
}

function placeOf({ path, text, tree }: Source, at: readonly PropertyKey[]): string {
	if (at.length === 0 || tree === undefined) return path;
	const steps = at.map((key, index) => (typeof key === "number" ? `[${key}]` : `${index === 0 ? "" : "."}${String(key)}`));
	return `${path}:${text.slice(0, nearest(tree, at).offset).split("\n").length} at ${steps.join("")}`;
}

/** The tree node at a path; for a missing member, the node of its parent. */
function nearest(tree: Node, at: readonly PropertyKey[]): Node {
	const keys = at.map((key) => (typeof key === "symbol" ? String(key) : key));
	return keys.length === 0 ? tree : (findNodeAtLocation(tree, keys) ?? nearest(tree, keys.slice(0, -1)));
}
