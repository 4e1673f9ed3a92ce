import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ProviderId } from "@xworkmate/contracts";
import { afterEach, beforeEach, expect, it } from "vitest";
import { AgentsFolder } from "../../src/agents/agents-folder.ts";
import { KeptTests } from "../../src/agents/kept-tests.ts";
import { shownAgent } from "../../src/agents/known-agent.ts";
import { VariablesFile } from "../../src/agents/variables-file.ts";
import { forgetFailedRuns, noteEnd } from "../../src/create-agents.ts";
import { catalogue } from "../../src/providers/catalogue/catalogue.ts";

let folder: string;
let warnings: string[];
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "kept-tests-"));
	warnings = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

const goose = ProviderId.parse("goose");
const test = { at: "2026-01-01T10:00:00.000Z", tookMs: 300 };
const open = (name = "tests.json") => new KeptTests(join(folder, name), (message) => void warnings.push(message));

it("keeps how a test ended for the version that was tested, and for no other", () => {
	const problem = { code: "PROVIDER_ERROR", message: "It broke.", fix: "Mend it." };
	open().keep(goose, "1.0.0", { ...test, problem });
	expect(open().of(goose, "1.0.0")).toEqual({ ...test, problem });
	expect(open().of(goose, "1.1.0")).toBeUndefined();
	expect(open().of(goose, undefined)).toBeUndefined();
	open().keep(goose, undefined, test);
	expect(open().of(goose, undefined)).toEqual(test);
	open().keep(goose, undefined, undefined);
	expect(open().of(goose, undefined)).toBeUndefined();
	expect(warnings).toEqual([]);
});

it("without a file that can be used, no agent counts as tested, and one that can't be written costs a test alone", () => {
	writeFileSync(join(folder, "tests.json"), '{"version":1,"agents":{"goose":{"at":"today"}}}');
	expect(open().of(goose, "1.0.0")).toBeUndefined();
	expect(warnings).toHaveLength(1);
	writeFileSync(join(folder, "file"), "");
	const kept = open(join("file", "tests.json"));
	kept.keep(goose, "1.0.0", test);
	expect(kept.of(goose, "1.0.0")).toEqual(test);
	expect(readFileSync(join(folder, "file"), "utf8")).toBe("");
	expect(warnings.at(-1)).toContain("can't be written");
});

it("an answer in a run counts for its version, ends a failure, and is no test; what is known to work is not written again", () => {
	const problem = { code: "PROVIDER_ERROR", message: "It broke.", fix: "Mend it." };
	const at = "2026-01-02T10:00:00.000Z";
	open().keep(goose, "1.0.0", { ...test, problem });
	open().noteRun(goose, "1.0.0", at);
	open().noteRun(goose, "1.0.0", "2026-01-03T10:00:00.000Z");
	expect([open().of(goose, "1.0.0"), open().answeredAt(goose, "1.0.0"), open().answeredAt(goose, "1.1.0")]).toEqual([
		undefined,
		at,
		undefined,
	]);
	open().keep(goose, "1.0.0", test);
	open().noteRun(goose, "1.0.0", at);
	expect([open().of(goose, "1.0.0"), open().answeredAt(goose, "1.0.0")]).toEqual([test, undefined]);
	expect(warnings).toEqual([]);
});

it("an answer of a run that was accepted before an update says nothing of the new version", () => {
	const tests = open();
	const provider = { target: "agent", providerId: goose } as const;
	const program = { version: "1.1.0", package: "goose", integrity: "", program: "goose", runtime: "itself" } as const;
	const installed = { get: () => ({ ...program, installedAt: "2026-01-02T10:00:00.000Z" }) };
	const end = { at: "2026-01-02T11:00:00.000Z" };
	expect(noteEnd({ tests, installed }, { provider, createdAt: "2026-01-02T09:00:00.000Z" }, end)).toBe(false);
	expect(noteEnd({ tests, installed }, { provider, createdAt: "2026-01-02T10:30:00.000Z" }, end)).toBe(true);
	expect(tests.answeredAt(goose, "1.1.0")).toBe(end.at);
});

it("a run that failed because of the agent replaces what was known, until a later answer or test", () => {
	const problem = { code: "PROVIDER_EXITED", message: "It could not be started.", fix: "Test it." };
	const at = "2026-01-02T10:00:00.000Z";
	const shown = () => [open().of(goose, "1.0.0"), open().answeredAt(goose, "1.0.0"), open().failedRun(goose, "1.0.0")];
	open().keep(goose, "1.0.0", test);
	expect(open().noteRun(goose, "1.0.0", at, problem)).toBe(true);
	expect(shown()).toEqual([undefined, undefined, { at, problem }]);
	expect(open().failedRun(goose, "1.1.0")).toBeUndefined();
	open().noteRun(goose, "1.0.0", "2026-01-03T10:00:00.000Z");
	expect(shown()).toEqual([undefined, "2026-01-03T10:00:00.000Z", undefined]);
	open().noteRun(goose, "1.0.0", at, problem);
	open().keep(goose, "1.0.0", test);
	expect(shown()).toEqual([test, undefined, undefined]);
	open().keep(goose, "1.0.0", { ...test, problem });
	expect(shown()).toEqual([{ ...test, problem }, undefined, undefined]);
});

it("says with a failed run how to find out whether the agent works: by a test, or with the assistant's accounts", () => {
	const tests = open();
	const failure = { code: "PROVIDER_ERROR", message: "It broke." } as const;
	const end = { at: "2026-01-02T11:00:00.000Z", failure };
	const assistant = ProviderId.parse("assistant");
	for (const [providerId, own] of [[goose], [assistant, "agent"]] as const)
		noteEnd({ tests, installed: { get: () => undefined } }, { provider: { target: "agent", providerId }, createdAt: end.at }, end, own);
	const fixOf = (id: ProviderId) => tests.failedRun(id, undefined)?.problem;
	expect(fixOf(goose)).toEqual({ ...failure, fix: "Fix the cause, then test the agent: npm run -s xworkmate -- agents test goose" });
	expect(fixOf(assistant)).toEqual({ ...failure, fix: "Test its accounts: npm run -s xworkmate -- auth test" });
});

it("an agent that answered in a run is shown as ready, with when that was", async () => {
	const entry = catalogue.find(({ providerId }) => providerId === goose);
	if (entry === undefined) throw new Error("the catalogue has goose");
	const known = { entry, managed: undefined };
	const quiet = () => undefined;
	const variables = new VariablesFile(join(folder, "v.json"), quiet);
	const parts = { folder: new AgentsFolder(folder, quiet), variables, lastTest: quiet, failedRun: quiet };
	expect((await shownAgent(known, { ...parts, answeredAt: () => test.at })).state).toBe("ready");
	expect(await shownAgent(known, { ...parts, answeredAt: () => test.at })).toMatchObject({ answeredAt: test.at });
	expect((await shownAgent(known, { ...parts, answeredAt: quiet })).state).toBe("untested");
	const failing = (code: string) => ({ at: test.at, problem: { code, message: "It failed.", fix: "Test it." } });
	const failed = (code: string) => shownAgent(known, { ...parts, answeredAt: quiet, failedRun: () => failing(code) });
	expect(await failed("PROVIDER_EXITED")).toMatchObject({ state: "failed", failedRun: failing("PROVIDER_EXITED") });
	expect(await failed("PROVIDER_AUTH_REQUIRED")).toMatchObject({ state: "needs_sign_in" });
});

it("an account that may work clears the assistant's failed run, and nothing else", () => {
	const tests = open();
	const assistant = ProviderId.parse("assistant");
	const providers = new Map<ProviderId, { readonly own?: "agent" }>([
		[goose, {}],
		[assistant, { own: "agent" }],
	]);
	const problem = { code: "PROVIDER_ERROR", message: "It broke.", fix: "Mend it." };
	for (const id of providers.keys()) tests.noteRun(id, undefined, test.at, problem);
	expect(forgetFailedRuns({ tests }, providers)).toBe(true);
	expect([...providers.keys()].map((id) => tests.failedRun(id, undefined)?.problem)).toEqual([problem, undefined]);
	tests.noteRun(assistant, undefined, test.at);
	expect(forgetFailedRuns({ tests }, providers)).toBe(false);
	expect(tests.answeredAt(assistant, undefined)).toBe(test.at);
});
