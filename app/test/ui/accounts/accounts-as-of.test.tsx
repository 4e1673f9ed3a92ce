import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { formatTime } from "../../../src/ui/text/format.ts";
import { Refused } from "../fake-app.ts";
import { profile } from "./account-stories.ts";
import { leave, open } from "./accounts-scene.tsx";

afterEach(leave);

const button = () => screen.findByRole("button", { name: "Test anthropic:key" });
const row = () => screen.getByRole("button", { name: "Test anthropic:key" }).closest("li")?.textContent;

it("accounts that couldn't be read again say as of when they are", async () => {
	const before = formatTime(new Date().toISOString());
	const read: { now: unknown } = { now: { profiles: [profile("anthropic:key")] } };
	open([], { accounts: () => read.now });
	await button();
	const after = formatTime(new Date().toISOString());
	read.now = new Refused("BRIDGE_NOT_RUNNING", "The bridge isn't responding.");
	await act(async () => document.dispatchEvent(new Event("visibilitychange")));
	const said = (await screen.findByRole("alert")).textContent ?? "";
	const lead = "The accounts couldn’t be loaded. The bridge isn't responding. Last known status below, as of";
	expect([before, after].some((time) => said.startsWith(`${lead} ${time}.`))).toBe(true);
});

it("accounts that have never been read have no time", async () => {
	open([], { accounts: new Refused("BRIDGE_NOT_RUNNING", "The bridge isn't responding.") });
	expect((await screen.findByRole("alert")).textContent).not.toContain("Last known");
});

describe("a test of an account that has no result", () => {
	it.each([
		["BRIDGE_NOT_RUNNING", "Not tested: the bridge couldn’t be reached."],
		["ACP_HTTP_CONNECTION_CLOSED", "The last test was interrupted."],
	])("is not said to have failed, and hides no state: %s", async (code, said) => {
		const { app } = open([profile("anthropic:key")], { testAccount: new Refused(code, "The bridge isn't responding.") });
		fireEvent.click(await button());
		await waitFor(() => expect(row()).toContain(said));
		expect(row()).toContain("Available");
		expect(row()).not.toMatch(/Test failed|isn't responding/);
		expect(app.said).toEqual([`anthropic:key: ${said}`]);
	});

	it("is said to have failed if the bridge refused it", async () => {
		open([profile("anthropic:key")], { testAccount: new Refused("NOT_FOUND", "There is no such account.") });
		fireEvent.click(await button());
		await waitFor(() => expect(row()).toMatch(/Test failed, .*There is no such account\./));
		expect(row()).not.toContain("Available");
	});
});
