import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { AgentVariableName } from "../src/index.ts";

const page = readFileSync(new URL("../../docs/agents.md", import.meta.url), "utf8");
const section = page.slice(page.indexOf("The whole file is refused if"), page.indexOf("An agent of your own"));
const named = [...section.matchAll(/^- (.*)$/gm)].flatMap(([, line = ""]) => [...line.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name));

it.each(named)("docs/agents.md says that %s is refused, and it is, in either case", (name) => {
	const one = name.replace("*", "X");
	expect(AgentVariableName.safeParse(one).success).toBe(false);
	expect(AgentVariableName.safeParse(one.toLowerCase()).success).toBe(false);
	// What only begins like it is not.
	if (!name.endsWith("*"))
		expect(AgentVariableName.safeParse(`${one}_X`).success).toBe(
			!named.some((other) => other.endsWith("*") && `${one}_X`.startsWith(other.slice(0, -1))),
		);
});

it("names all of them", () => {
	const source = readFileSync(new URL("../src/agents/agent-catalogue.ts", import.meta.url), "utf8");
	const patterns = source.slice(source.indexOf("const WITHHELD"), source.indexOf("];", source.indexOf("const WITHHELD")));
	const written = [...patterns.matchAll(/\/\^(GIT_)?\(\?:([^)]*)\)\$\/i/g)].flatMap(([, prefix = "", names = ""]) =>
		names.split("|").map((name) => `${prefix}${name.replace(".*", "*")}`),
	);
	expect(written.length).toBeGreaterThan(30);
	expect(named.toSorted()).toEqual(written.toSorted());
});
