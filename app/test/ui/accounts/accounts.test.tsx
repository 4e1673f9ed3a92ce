import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { accountLook, soonest, typeOf } from "../../../src/ui/accounts/account-look.ts";
import { inOrder, moved, placeAt, placeOf } from "../../../src/ui/accounts/account-order.ts";
import { accountTrials } from "../../../src/ui/accounts/account-trials.ts";
import { Refused } from "../fake-app.ts";
import { profile, three } from "./account-stories.ts";
import { called, grip, leave, open, order, told } from "./accounts-scene.tsx";

afterEach(leave);

describe("the order of accounts", () => {
	const ids = ["anthropic:a", "anthropic:b", "anthropic:c", "anthropic:d"].map((id) => profile(id).profileId);
	const [first = ids[0]] = ids;

	it("keeps every account wherever one is moved to, and a place beyond an end is that end", () => {
		fc.assert(
			fc.property(fc.array(fc.integer({ min: -3, max: 7 })), (places) => {
				const lift = places.reduce(moved, { profileId: first as (typeof ids)[number], order: ids });
				expect([...lift.order].sort()).toEqual([...ids].sort());
				const last = places.at(-1);
				if (last !== undefined) expect(placeOf(lift)).toBe(Math.max(0, Math.min(3, last)));
			}),
		);
		expect([5, 15, 25, 35].map((y) => placeAt([10, 20, 30], y))).toEqual([0, 1, 2, 3]);
	});

	it("leaves out what was removed meanwhile, and puts what was added meanwhile last", () => {
		const now = [profile("anthropic:new"), profile("anthropic:a"), profile("anthropic:c")];
		expect(inOrder(now, ids.toReversed()).map(({ profileId }) => profileId)).toEqual(["anthropic:c", "anthropic:a", "anthropic:new"]);
	});
});

describe("the look of an account", () => {
	const now = new Date(2026, 0, 2, 10, 0).getTime();
	const until = new Date(2026, 0, 2, 10, 42).toISOString();
	const say = (more: object) => {
		const { word, tone, say: said, fix } = accountLook(profile("anthropic:key", more), now);
		return [word, tone, ...said, ...(fix === undefined ? [] : [fix])];
	};

	it.each<[string, object, readonly string[]]>([
		["available", {}, ["Available", "st-off"]],
		["limited", { state: "cooling", reason: "rate_limited", until }, ["Rate limited until 10:42", "st-off"]],
		[
			"limited for a model",
			{ state: "cooling", reason: "rate_limited", until, model: "m\u202E1" },
			["Rate limited for m⟨U+202E⟩1 until 10:42", "st-off"],
		],
		[
			"rejected",
			{ state: "cooling", reason: "auth", until },
			["Rejected", "st-bad", "may have been revoked or mistyped, skipped until 10:42", "Replace it"],
		],
		["out of credit", { state: "cooling", reason: "billing", until }, ["Out of credit", "st-bad", "skipped until 10:42"]],
		[
			"expired",
			{ state: "expired", expiresAt: new Date(2025, 10, 3).toISOString() },
			["Expired on 3 Nov 2025", "st-off", "skipped", "Paste a new one"],
		],
		[
			"without its variable",
			{ state: "missing", variable: "X" },
			["No credential", "st-bad", "the variable isn’t set where the bridge runs, or doesn’t contain a credential"],
		],
	])("is said: %s; nothing is green that was not tested", (_, more, said) => {
		expect(say(more)).toEqual(said);
	});

	it("says the day of a time that is not today's, the variable of a secret, and which one is tried again first", () => {
		expect(say({ state: "cooling", reason: "billing", until: new Date(2026, 0, 3, 9, 5).toISOString() })[2]).toMatch(
			/skipped until .* 09:05$/,
		);
		expect(typeOf({ type: "api_key", variable: "TEAM_KEY" })).toBe("API key from TEAM_KEY");
		expect(typeOf({ type: "none", variable: "OPENAI_BASE_URL" })).toBe("Server in OPENAI_BASE_URL, no credential needed");
		const later = profile("anthropic:a", { state: "cooling", reason: "auth", until: "2026-01-02T11:00:00.000Z" });
		const sooner = profile("anthropic:b", { state: "cooling", reason: "rate_limited", until: "2026-01-02T10:30:00.000Z" });
		expect(soonest([later, sooner, profile("anthropic:c", { state: "expired" })])?.profileId).toBe("anthropic:b");
		expect(soonest([profile("anthropic:c", { state: "expired" })])).toBeUndefined();
	});
});

describe("Settings, Accounts", () => {
	it("moves an account by keyboard, says each move, saves when it is dropped, and not before", async () => {
		const { app, calls } = open(three());
		await screen.findByRole("list", { name: "Anthropic" });
		const handle = grip("anthropic:key");
		handle.focus();
		fireEvent.click(handle);
		expect(handle.getAttribute("aria-pressed")).toBe("true");
		fireEvent.keyDown(handle, { key: "ArrowUp" });
		fireEvent.keyDown(handle, { key: "ArrowUp" });
		expect(order()).toEqual(["anthropic:key", "anthropic:manual", "anthropic:team"]);
		expect(called(calls, "orderAccounts")).toEqual([]);
		fireEvent.click(handle);
		await waitFor(() =>
			expect(called(calls, "orderAccounts")).toEqual([
				{ provider: "anthropic", profileIds: ["anthropic:key", "anthropic:manual", "anthropic:team"] },
			]),
		);
		await waitFor(() => expect(app.said).toHaveLength(4));
		expect(app.said).toEqual([
			"anthropic:key lifted, position 2 of 3. Move it with the arrow keys, drop it with Space, cancel with Esc.",
			"anthropic:key, position 1 of 3",
			"anthropic:key, position 1 of 3",
			"anthropic:key dropped at position 1 of 3",
		]);
		expect(document.activeElement).toBe(grip("anthropic:key"));
		await waitFor(() => expect(order()).toEqual(["anthropic:key", "anthropic:manual", "anthropic:team"]));
	});

	it("puts it back when the move is cancelled or the focus leaves, and saves nothing", async () => {
		const { app, calls } = open(three());
		await screen.findByRole("list", { name: "Anthropic" });
		for (const leave of [(it: HTMLElement) => fireEvent.keyDown(it, { key: "Escape" }), (it: HTMLElement) => fireEvent.blur(it)]) {
			const handle = grip("anthropic:team");
			fireEvent.click(handle);
			fireEvent.keyDown(handle, { key: "ArrowUp" });
			expect(order()[1]).toBe("anthropic:team");
			leave(handle);
			expect(order()).toEqual(["anthropic:manual", "anthropic:key", "anthropic:team"]);
			expect(app.said.at(-1)).toBe("Move cancelled. anthropic:team is back at position 3 of 3.");
		}
		expect(called(calls, "orderAccounts")).toEqual([]);
	});

	it("shows the bridge's order again when it refuses another one, and says why", async () => {
		const { app } = open(three(), { orderAccounts: new Refused("INVALID_PARAMS", "There is no account anthropic:team.") });
		await screen.findByRole("list", { name: "Anthropic" });
		const handle = grip("anthropic:team");
		fireEvent.click(handle);
		fireEvent.keyDown(handle, { key: "ArrowUp" });
		fireEvent.click(handle);
		await waitFor(() => expect(told().join()).toContain("There is no account anthropic:team."));
		await waitFor(() => expect(order()).toEqual(["anthropic:manual", "anthropic:key", "anthropic:team"]));
		expect(app.said.at(-1)).toBe("The new order wasn’t saved. anthropic:team is back at position 3 of 3.");
		expect(app.said.join()).not.toContain("dropped");
	});

	it("moves an account by pointer to where it is let go", async () => {
		const { calls } = open(three());
		await screen.findByRole("list", { name: "Anthropic" });
		vi.spyOn(Element.prototype, "getBoundingClientRect").mockImplementation(function (this: Element) {
			const index = [...(this.parentElement?.children ?? [])].indexOf(this);
			return new DOMRect(0, index * 50, 100, 50);
		});
		const handle = grip("anthropic:manual");
		fireEvent.pointerDown(handle, { button: 0, clientY: 25 });
		fireEvent.pointerMove(window, { clientY: 26 });
		expect(order()[0]).toBe("anthropic:manual");
		fireEvent.pointerMove(window, { clientY: 149 });
		expect(order().at(-1)).toBe("anthropic:manual");
		fireEvent.pointerUp(window, { clientY: 149 });
		// The click that browsers add lifts nothing.
		fireEvent.click(handle);
		await waitFor(() => expect(called(calls, "orderAccounts")).toHaveLength(1));
		expect(handle.getAttribute("aria-pressed")).toBe("false");
		vi.restoreAllMocks();
	});

	it("tests an account, says how it went, and keeps the result beside it", async () => {
		const { app } = open(three(), {
			testAccount: ({ profileId }: { readonly profileId: string }) =>
				profileId === "anthropic:key"
					? { profile: profile(profileId), ok: true, tookMs: 800 }
					: {
							profile: three().find((one) => one.profileId === profileId),
							ok: false,
							tookMs: 20,
							problem: { code: "RATE_LIMITED", message: "The limit is reached.", fix: "Try again later." },
						},
		});
		fireEvent.click(await screen.findByRole("button", { name: "Test anthropic:key" }));
		const row = () => screen.getByRole("button", { name: "Test anthropic:key" }).closest("li");
		await waitFor(() => expect(row()?.textContent).toMatch(/answered in 0\.8 s, /));
		fireEvent.click(screen.getByRole("button", { name: "Test anthropic:manual" }));
		const failed = () => screen.getByRole("button", { name: "Test anthropic:manual" }).closest("li");
		await waitFor(() => expect(failed()?.textContent).toContain("The limit is reached."));
		expect(failed()?.textContent).toContain("Try again later.");
		expect(app.said).toEqual(["anthropic:key works. The provider responded in 0.8 s.", "anthropic:manual: The limit is reached."]);
	});

	it("says by this computer's clock when an account that was tested expired", async () => {
		const at = new Date(2024, 0, 1, 12, 5).toISOString();
		const problem = { code: "CREDENTIAL_EXPIRED", message: `anthropic:key expired (${at}).`, fix: "Add an account." };
		const { app } = open([profile("anthropic:key")], {
			testAccount: () => ({ profile: profile("anthropic:key", { state: "expired" }), ok: false, tookMs: 0, problem }),
		});
		fireEvent.click(await screen.findByRole("button", { name: "Test anthropic:key" }));
		expect(await screen.findByText("anthropic:key expired (1 Jan 2024 12:05).")).toBeDefined();
		expect(app.said).toEqual(["anthropic:key: anthropic:key expired (1 Jan 2024 12:05)."]);
	});

	it("says when a test failed, and drops its result once the account was used after it", async () => {
		const used = (at: string) => [profile("anthropic:key", { lastUsedAt: at })];
		let listed = used("2026-01-02T09:00:00.000Z");
		open([], {
			accounts: () => ({ profiles: listed }),
			testAccount: () => ({
				profile: listed[0],
				ok: false,
				tookMs: 20,
				problem: { code: "PROVIDER_ERROR", message: "No network.", fix: "Check it." },
			}),
		});
		const press = async () => fireEvent.click(await screen.findByRole("button", { name: "Test anthropic:key" }));
		const row = () => screen.getByRole("button", { name: "Test anthropic:key" }).closest("li")?.textContent;
		await press();
		await waitFor(() => expect(row()).toMatch(/Test failed, \d\d:\d\d/));
		expect(row()).toContain("No network.");
		const { profileId, lastUsedAt: usedAt } = profile("anthropic:key", { lastUsedAt: "2026-01-02T09:00:00.000Z" });
		const at = new Date(2024, 0, 1, 12, 5).toISOString();
		act(() => accountTrials.set(new Map([[profileId, { state: "failed", at, usedAt, message: "No network." }]])));
		expect(row()).toContain("Test failed, 1 Jan 2024 12:05");
		listed = used("2026-01-02T09:30:00.000Z");
		cleanup();
		open(listed);
		await screen.findByText(/^last used/);
		expect(row()).not.toContain("Test failed");
		expect(row()).not.toContain("No network.");
	});

	it("drops the result of a credential that was replaced elsewhere", async () => {
		const used = profile("anthropic:key", { lastUsedAt: "2026-01-02T09:00:00.000Z" });
		open([used], { testAccount: () => ({ profile: used, ok: true, tookMs: 800 }) });
		fireEvent.click(await screen.findByRole("button", { name: "Test anthropic:key" }));
		await screen.findByText(/^answered in/);
		cleanup();
		open([profile("anthropic:key")]);
		await screen.findByText("not used yet");
		expect(screen.queryByText(/^answered in/)).toBeNull();
	});

	it("removes an account only after a question that says what stays valid", async () => {
		const { calls } = open(three());
		fireEvent.click(await screen.findByRole("button", { name: "Remove anthropic:key" }));
		const dialog = await screen.findByRole("alertdialog", { name: "Remove anthropic:key?" });
		expect(dialog.textContent).toContain("It stays valid with the provider until you revoke it there.");
		expect(called(calls, "removeAccount")).toEqual([]);
		fireEvent.click(within(dialog).getByRole("button", { name: "Remove" }));
		await waitFor(() => expect(order()).toEqual(["anthropic:manual", "anthropic:team"]));
		expect(called(calls, "removeAccount")).toEqual([{ profileId: "anthropic:key" }]);
	});

	it("says that none is available and which one is tried again first; of the environment's nothing can be moved or removed", async () => {
		const [limited] = three();
		open([...(limited ? [limited] : []), profile("anthropic:env", { state: "missing", variable: "ANTHROPIC_API_KEY" })]);
		const section = await screen.findByRole("region", { name: "Anthropic" });
		expect(section.textContent).toContain("None of these accounts is available. anthropic:manual will be tried again first, at");
		const environment = within(section).getByRole("list", { name: "Anthropic, From the environment" });
		expect(within(environment).getAllByRole("button")).toHaveLength(1);
		expect(screen.queryByRole("button", { name: /^Move/ })).toBeNull();
	});

	it("says what is wrong with a damaged file and how to mend it, and does not call it empty", async () => {
		const problem = { code: "ACCOUNTS_DAMAGED", message: "auth-profiles.json is not JSON, at line 14.", fix: "Correct the file." };
		open([], { accounts: { profiles: [], problem } });
		const alert = await screen.findByRole("alert");
		for (const said of ["at line 14.", "Correct the file.", "ACCOUNTS_DAMAGED", "Open data folder"])
			expect(alert.textContent).toContain(said);
		expect(screen.queryByText("No accounts yet")).toBeNull();
	});

	it("calls no account available while the accounts file can’t be read", async () => {
		const problem = { code: "ACCOUNTS_EXPOSED", message: "Other users may open it.", fix: "Make it private." };
		open([], { accounts: { profiles: [profile("anthropic:env", { variable: "ANTHROPIC_API_KEY" })], problem } });
		const section = await screen.findByRole("region", { name: "Anthropic" });
		expect(section.textContent).toContain("1 account, 0 available");
		expect(section.textContent).toContain("Used only if a message names it, until the accounts file is fixed");
		expect(section.textContent).not.toContain("Available");
		expect(screen.queryByText(/that only you can read/)).toBeNull();
	});

	it("counts an account as available while only one model is limited", async () => {
		const limit = { state: "cooling", reason: "rate_limited", until: "2026-01-02T10:42:00.000Z", model: "m1" };
		open([profile("anthropic:key", limit)]);
		const section = await screen.findByRole("region", { name: "Anthropic" });
		expect(section.textContent).toContain("1 account, 1 available");
		expect(section.textContent).not.toContain("None of these accounts is available.");
	});

	it("keeps what was listed when the bridge is away, and says so", async () => {
		let isAway = false;
		open([], {
			accounts: () => (isAway ? new Refused("ACP_HTTP_CONNECT_FAILED", "The bridge is not running.") : { profiles: three() }),
		});
		await screen.findByRole("list", { name: "Anthropic" });
		isAway = true;
		await act(async () => void document.dispatchEvent(new Event("visibilitychange")));
		expect((await screen.findByRole("alert")).textContent).toContain("The accounts couldn’t be loaded. The bridge is not running.");
		expect(order()).toHaveLength(3);
	});
});
