import type { CallFacts } from "../protocol/call-facts.ts";

/**
 * A command that moves one file, without anything that a shell would replace or that runs another command. An option with a `t` is left
 * out, because `-t` names the target before the source.
 */
const MOVES = /^mv(?:\s+-[a-su-zA-Z]+)*\s+([\w./@%+=:,][\w./@%+=:,-]*)\s+([\w./@%+=:,][\w./@%+=:,-]*)$/;

/** A title that says which file is moved where. The names may be in quotation marks. */
const SAYS = /^(?:mov(?:e|ed|ing)|renam(?:e|ed|ing)):?\s+["'`]?([^\s"'`]+)["'`]?\s+(?:to|as|into|->|→)\s+["'`]?([^\s"'`]+)["'`]?$/iu;
/** The fields in which tools take the source and the target of a move. */
const SOURCES = ["source", "src", "from", "old_path", "oldPath", "source_path", "sourcePath"];
const TARGETS = ["destination", "dest", "to", "new_path", "newPath", "destination_path", "destinationPath"];

/** Puts the two paths of a move, as its command, its input or its title says it, before the other paths of the call's facts. */
export function withMoved(facts: CallFacts, title?: string): CallFacts {
	const moved = movedBy(facts, title);
	return moved === undefined ? facts : { ...facts, paths: new Set([...moved, ...facts.paths]) };
}

/**
 * The source and the target of a call's `mv` command, or of a move as its input or its title says it; undefined if there is none. A title
 * may be prose, so it only says which of the call's own paths is the source. So does an input whose paths are relative, because it may
 * not say to which folder.
 */
export function movedBy({ command, fields, paths }: CallFacts, title = ""): readonly [string, string] | undefined {
	const [, from, to] = MOVES.exec((command ?? title).trim()) ?? [];
	if (from !== undefined && to !== undefined) return [from, to];
	const given = (keys: readonly string[]) => keys.map((key) => fields.get(key)).find((value) => value !== undefined && value !== "");
	const [, said, saidTarget] = SAYS.exec(title.trim()) ?? [];
	const source = pathOf(given(SOURCES) ?? said, paths);
	const target = pathOf(given(TARGETS) ?? saidTarget, paths);
	return source === undefined || target === undefined || source === target ? undefined : [source, target];
}

/** The path that a name stands for: itself if it is absolute, otherwise the one path that ends with it. */
function pathOf(name: string | undefined, paths: ReadonlySet<string>): string | undefined {
	if (name === undefined || name.startsWith("/")) return name;
	const found = [...paths].filter((path) => path === name || path.endsWith(`/${name.replace(/^\.\//, "")}`));
	return found.length === 1 ? found[0] : undefined;
}
