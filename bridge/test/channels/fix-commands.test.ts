import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const sources = join(import.meta.dirname, "../../src/channels");
/** A fix that tells the user to set up a channel, up to the end of its command. */
const COMMAND = /channels setup [^`\\]*/g;

it("no fix names `channels setup` without the option that fixes the problem", () => {
	const named = globSync("**/*.ts", { cwd: sources }).flatMap((file) => readFileSync(join(sources, file), "utf8").match(COMMAND) ?? []);
	expect(named.length).toBeGreaterThan(10);
	expect(named.filter((command) => !/^channels setup (?:\w+|\$\{channel\}) --[a-z]/.test(command))).toEqual([]);
});
