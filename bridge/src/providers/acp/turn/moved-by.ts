import type { CallFacts } from "../protocol/call-facts.ts";

/**
 * A command that moves one file, without anything that a shell would replace or that runs another command. An option with a `t` is left
 * out, because `-t` names the target before the source.
 */
const MOVES = /^mv(?:\s+-[a-su-zA-Z]+)*\s+([\w./@%+=:,][\w./@%+=:,-]*)\s+([\w./@%+=:,][\w./@%+=:,-]*)$/;

/** Puts the two paths of a call's `mv` command, from the input or the title, before the other paths of its facts. */
export function withMoved(facts: CallFacts, title?: string): CallFacts {
	const moved = movedBy(facts, title);
	return moved === undefined ? facts : { ...facts, paths: new Set([...moved, ...facts.paths]) };
}

/** The source and the target of a call's `mv` command; undefined if it has none. */
export function movedBy({ command }: CallFacts, title = ""): readonly [string, string] | undefined {
	const [, from, to] = MOVES.exec((command ?? title).trim()) ?? [];
	return from === undefined || to === undefined ? undefined : [from, to];
}
