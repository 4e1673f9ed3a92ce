import { describe, expect, it } from "vitest";
import { checkedVariables, type KnownSignIn, shownSignIn } from "../../src/agents/sign-in-methods.ts";
import { offeredSignIn } from "../../src/providers/acp/process/offered-sign-in.ts";

const model = { name: "MODEL", secret: false, optional: false };
const way: KnownSignIn = {
	...{ id: "key", name: "Key", kind: "variables", together: { KIND: "openai" } },
	vars: [{ name: "KEY", label: "API key", secret: true, optional: false }, model, { name: "HOST", secret: false, optional: true }],
};

describe("the variables of a sign-in", () => {
	it("are stored with what belongs to them; those that are stored may be left out", () => {
		expect(checkedVariables(way, { KEY: " k\n", MODEL: "m" }, {})).toEqual({ KEY: "k", MODEL: "m", KIND: "openai" });
		expect(checkedVariables(way, { MODEL: "n" }, { KEY: "k" })).toEqual({ MODEL: "n", KIND: "openai" });
		expect(checkedVariables(way, { HOST: null, MODEL: "n" }, { KEY: "k" })).toEqual({ HOST: null, MODEL: "n", KIND: "openai" });
	});

	it("are what the catalogue says where nothing is given or stored", () => {
		const preset: KnownSignIn = { ...way, vars: [...(way.vars ?? []).slice(0, 1), { ...model, default: "usual" }] };
		expect(checkedVariables(preset, { KEY: "k" }, {})).toEqual({ KEY: "k", MODEL: "usual", KIND: "openai" });
		expect(checkedVariables(preset, { KEY: "k", MODEL: "m" }, {})).toEqual({ KEY: "k", MODEL: "m", KIND: "openai" });
		expect(checkedVariables(preset, { KEY: "k" }, { MODEL: "kept" })).toEqual({ KEY: "k", KIND: "openai" });
	});

	it("are taken away with what belongs to them", () => {
		expect(checkedVariables(way, { KEY: null, MODEL: null }, { KEY: "k", MODEL: "m" })).toEqual({ KEY: null, MODEL: null, KIND: null });
	});

	it.each([
		[{ OTHER: "x" }, "that this sign-in method doesn't use"],
		[{ KEY: "a secret\nof two lines", MODEL: "m" }, "API key must be one line"],
		[{ KEY: " ", MODEL: "m" }, "API key must be one line"],
		[{ KEY: "a secret" }, '"MODEL" is missing'],
		[{}, '"API key" is missing'],
	])("are refused without being repeated: %j", (given, words) => {
		const refused = () => checkedVariables(way, given, {});
		expect(refused).toThrow(words);
		expect(refused).not.toThrow("a secret");
	});

	it("are shown without their values", () => {
		const shown = shownSignIn("goose", way, { KEY: "a secret" });
		expect(JSON.stringify(shown)).not.toContain("a secret");
		expect(shown.variables?.map(({ name, isSet }) => [name, isSet])).toEqual([
			["KEY", true],
			["MODEL", false],
			["HOST", false],
		]);
	});
});

describe("a way to sign in that an agent offers", () => {
	it("is taken as agent, variables or terminal, with its words cleaned", () => {
		expect(offeredSignIn({ id: "a", name: "A\u001b[31m\nB", link: "javascript:alert(1)" })).toEqual({
			id: "a",
			name: "A B",
			kind: "agent",
		});
		expect(offeredSignIn({ id: "k", type: "env_var", vars: [{ name: "KEY", label: "Key" }], link: "https://a.example/" })).toEqual({
			...{ id: "k", name: "k", kind: "variables", link: "https://a.example/" },
			vars: [{ name: "KEY", label: "Key", secret: true, optional: false }],
		});
		expect(offeredSignIn({ id: "t", type: "terminal", args: ["--login"], env: { MODE: "x" } })).toMatchObject({
			...{ kind: "terminal", args: ["--login"], env: { MODE: "x" } },
		});
	});

	it.each([
		{ id: "x\u0000y" },
		{ id: "k", type: "env_var" },
		{ id: "k", type: "env_var", vars: [{ name: "LD_PRELOAD" }] },
		{ id: "k", type: "env_var", vars: [{ name: "XWORKMATE_TOKEN" }] },
		{ id: "t", type: "terminal", env: { NODE_OPTIONS: "--require ./x" } },
		{ id: "t", type: "terminal", args: Array.from({ length: 51 }, () => "a") },
	])("is left out if it could do harm: %j", (method) => {
		expect(offeredSignIn(method)).toBeUndefined();
	});
});
