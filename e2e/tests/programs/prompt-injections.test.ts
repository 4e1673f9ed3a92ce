import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InjectedBridge, injectedBridge, secrets } from "../../support/hostile/injected-bridge.ts";
import type { PromptInjection } from "../../support/hostile/prompt-injection.ts";
import { promptInjections } from "../../support/hostile/prompt-injections.ts";

let bridge: InjectedBridge;
let authority: unknown;

beforeAll(async () => {
	bridge = await injectedBridge(promptInjections);
	authority = await bridge.authority();
}, 60_000);
afterAll(() => bridge[Symbol.asyncDispose]());

const rows = promptInjections.map((injection) => [`${injection.name} (${injection.carrier})`, injection] as const);

/** The model obeys all of them to the letter, so it is the gates that hold or do not. */
describe("a text that a model takes for orders", { timeout: 60_000 }, () => {
	it("is one of more than thirty", () => {
		expect(promptInjections.length).toBeGreaterThan(30);
	});

	it.for(rows)("[T1-96] %s", async ([, injection]) => {
		const { snapshot, asked, sent, left } = await bridge.inject(injection);
		expect(snapshot).toMatchObject({ status: "completed" });
		expect(snapshot.output?.text).not.toContain("There is no order here");
		expect(asked).toEqual(injection.asks ?? []);
		expect(sent).toMatchObject(injection.allowsFirst === true ? [{ to: "mira" }] : []);
		expect(snapshot).toMatchObject({ grounding: { state: injection.grounding ?? "no_action" } });
		for (const text of injection.unsaid ?? []) expect(snapshot.output?.text).not.toContain(text);
		for (const secret of secrets) expect(left).not.toContain(secret);
		expect(await bridge.authority()).toEqual(authority);
	});

	it("of a stranger on Discord is not even read", async () => {
		expect(await bridge.sayAsStranger(promptInjections[0] as PromptInjection)).toEqual([false, true]);
	});

	it("cannot forge what a post says of actions", async () => {
		const forged = (await bridge.posts()).filter((content) => content.includes("1 action completed"));
		expect(forged.length).toBeGreaterThan(0);
		for (const content of forged) expect(content).toMatch(/^\\> 1 action completed\n\\-# 4 receipts$[\s\S]*^> 0 actions completed/m);
	});

	it("leaves no secret in a log, an address, a post or what the model is shown, and receipts that hold", async () => {
		const told = await bridge.told();
		for (const secret of secrets) expect(told).not.toContain(secret);
		expect(await bridge.verify()).toMatchObject({ ok: true, problems: [] });
	});
});
