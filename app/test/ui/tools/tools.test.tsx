import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import type { Integration } from "@xworkmate/contracts";
import { afterEach, describe, expect, it, vi } from "vitest";
import { route } from "../../../src/ui/state/route.ts";
import { untold } from "../../../src/ui/state/toasts.ts";
import { inOrder } from "../../../src/ui/tools/integration-order.ts";
import { newPowers } from "../../../src/ui/tools/new-powers.ts";
import ToolsPage from "../../../src/ui/tools/tools-page.tsx";
import { failedIntegration, integration, NEW, newIntegration, OLD, sources, tool, windowCall } from "../action-stories.ts";
import { fakeApp, Refused } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { appState } from "../stories.ts";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
	untold.set([]);
});

const all = [integration("calendar"), newIntegration, failedIntegration];
function open(answers: object, review?: string, app = new InApp()) {
	const calls = fakeApp({ listTools: { integrations: all }, toolSources: sources(), ...answers });
	render(<ToolsPage {...(review !== undefined && { review })} />, { wrapper: app.wrapper });
	return { calls, app };
}
const told = () => untold.value.map(({ text }) => text);

describe("the page of tools", () => {
	it("shows first what failed, with file, line and column, then what waits for a review", async () => {
		expect(inOrder(all).map((one) => one.integration)).toEqual(["posthog", "github", "calendar"]);
		open({});
		const failed = await screen.findByRole("region", { name: "posthog" });
		for (const said of [
			"Failed to load",
			"Syntax error",
			"tools/posthog/tools.ts, line 31, column 22",
			"expected “}”",
			"SYNTAX",
			"DUPLICATE_ID",
		])
			expect(failed.textContent).toContain(said);
		expect(failed.textContent).toContain("the last version that loaded is still in use");
		const review = within(screen.getByRole("region", { name: "github" })).getByRole("link", { name: "Review github" });
		expect(review.getAttribute("href")).toBe("#/tools/github");
		const calendar = screen.getByRole("region", { name: "calendar" });
		expect(calendar.textContent).toContain("a441 a441 a441");
		expect(calendar.textContent).toMatch(/accepted by you, ./);
	});

	it("sets a rule, shows what was recorded, and says what was refused", async () => {
		let rule: string | undefined;
		const { calls, app } = open({
			listTools: () => ({
				integrations: [
					integration("calendar", {
						tools: [tool("calendar.events.delete", "destructive", { policy: "ask", ...(rule === "deny" && { rule }) })],
					}),
				],
			}),
			setToolRule: ({ decision }: { readonly decision: string }) => {
				if (decision === "allow") return new Refused("TOOL_NOT_FOUND", "There is no such tool.");
				rule = decision;
				return tool("calendar.events.delete", "destructive", { rule: "deny" });
			},
		});
		const picker = await screen.findByRole("combobox", { name: "Rule for calendar.events.delete" });
		expect([...picker.querySelectorAll("option")].map(({ textContent }) => textContent)).toEqual([
			"Tool’s rule: ask",
			"Allow",
			"Ask",
			"Deny",
		]);
		fireEvent.change(picker, { target: { value: "deny" } });
		await waitFor(() => expect((picker as HTMLSelectElement).value).toBe("deny"));
		expect(app.said).toEqual(["calendar.events.delete: Deny"]);
		fireEvent.change(picker, { target: { value: "allow" } });
		await waitFor(() => expect(told().join()).toContain("There is no such tool."));
		expect((picker as HTMLSelectElement).value).toBe("deny");
		expect(calls.filter(({ method }) => method === "setToolRule")).toHaveLength(2);
	});

	it("follows the files without a press: what is told as changed is read again, on the list and in a review", async () => {
		let integrations: readonly Integration[] = [integration("calendar")];
		const { app } = open({ listTools: () => ({ integrations }) });
		await screen.findByRole("region", { name: "calendar" });
		integrations = [failedIntegration];
		act(() => app.appLink.toolNews.set(1));
		await screen.findByText("Failed to load");
		cleanup();
		let shown = sources();
		const review = open({ toolSources: () => shown }, "calendar");
		await screen.findByRole("button", { name: "Accept this version" });
		shown = { ...shown, toolHash: OLD };
		act(() => review.app.appLink.toolNews.set(1));
		await screen.findByText(/changed again while you were reading/);
	});

	it("a first version changes nothing, and what it can do is listed", async () => {
		const { accepted: _, ...first } = sources();
		open({ toolSources: first }, "calendar");
		const all = await screen.findByRole("region", { name: "Capabilities of this version" });
		expect(all.textContent).not.toMatch(/New tool|New secret|aren’t known/);
		expect(screen.queryByText("Changes to what this integration can do")).toBeNull();
	});

	it("speaks of a tool's rule only where the tool has one", async () => {
		const tools = [tool("calendar.events.list", "read", { policy: undefined })];
		open({ listTools: { integrations: [integration("calendar", { tools })] } });
		const picker = await screen.findByRole("combobox", { name: "Rule for calendar.events.list" });
		expect(picker.querySelector("option")?.textContent).toBe("Default");
	});

	it("reloads one and says what waits for a review; the rest stays", async () => {
		const { calls } = open({ reloadTools: { integrations: [{ ...failedIntegration, state: "unaccepted", problems: [] }] } });
		fireEvent.click(await screen.findByRole("button", { name: "Reload posthog" }));
		await waitFor(() => expect(told()).toEqual(["Reloaded 1 integration. 1 to review."]));
		expect(calls.find(({ method }) => method === "reloadTools")?.params).toEqual({ integration: "posthog" });
		expect(screen.getByRole("region", { name: "calendar" })).toBeDefined();
		expect(screen.getByRole("region", { name: "posthog" }).textContent).toContain("New version to review");
	});

	it("says that there are none on a fresh home, and adds an example by one press", async () => {
		const added = integration("calendar");
		const { calls } = open({ listTools: { integrations: [] }, addTools: added, newTools: integration("library") });
		await screen.findByRole("heading", { name: "No tools yet" });
		fireEvent.click(screen.getByRole("button", { name: "Add calendar example" }));
		await screen.findByRole("region", { name: "calendar" });
		expect(calls.find(({ method }) => method === "addTools")?.params).toEqual({ example: "calendar" });
		expect(screen.queryByRole("button", { name: "Add calendar example" })).toBeNull();
		const name = screen.getByRole("textbox");
		const create = screen.getByRole("button", { name: "Create" });
		for (const wrong of ["", "Library", "my tools", "../x"]) {
			fireEvent.change(name, { target: { value: wrong } });
			expect(create.hasAttribute("disabled")).toBe(true);
		}
		fireEvent.change(name, { target: { value: "library" } });
		fireEvent.click(create);
		await screen.findByRole("region", { name: "library" });
	});

	it("lists the permissions that are in force, and revokes one", async () => {
		const decidedAt = new Date().toISOString();
		const grant = windowCall({ state: "decided", decision: "allow_window", decidedBy: "person", decidedAt });
		const over = windowCall({
			approvalId: "ask2",
			state: "decided",
			decision: "allow_window",
			decidedBy: "person",
			decidedAt: "2026-01-01T00:00:00.000Z",
		});
		const app = new InApp({ ...appState, grants: [grant, over] });
		const { calls } = open({ revokeGrant: { record: grant, applied: true } }, undefined, app);
		const section = screen.getByRole("region", { name: "Temporarily allowed" });
		expect(within(section).getAllByRole("listitem")).toHaveLength(1);
		fireEvent.click(within(section).getByRole("button", { name: "Revoke: calendar.events.create" }));
		await waitFor(() => expect(app.said).toEqual(["Revoked. It no longer allows any calls."]));
		expect(calls.find(({ method }) => method === "revokeGrant")?.params).toEqual({ approvalId: "ask1" });
	});

	it.each([
		["person", "allowed by you, "],
		["discord:\u202Eeve", "allowed by ⟨U+202E⟩eve on Discord, "],
	])("says who gave a permission: %j", (decidedBy, said) => {
		const grant = windowCall({ state: "decided", decision: "allow_window", decidedBy, decidedAt: new Date().toISOString() });
		open({}, undefined, new InApp({ ...appState, grants: [grant] }));
		expect(screen.getByRole("region", { name: "Temporarily allowed" }).textContent).toContain(said);
	});

	it("keeps what was listed when the bridge is away, and says so", async () => {
		let isAway = false;
		open({ listTools: () => (isAway ? new Refused("ACP_HTTP_CONNECT_FAILED", "The bridge is not running.") : { integrations: all }) });
		await screen.findByRole("region", { name: "calendar" });
		isAway = true;
		await act(async () => void dispatchEvent(new Event("focus")));
		expect((await screen.findByRole("alert")).textContent).toContain("The tools couldn’t be loaded. The bridge is not running.");
		expect(screen.getByRole("region", { name: "calendar" })).toBeDefined();
	});
});

describe("the changes to what an integration can do", () => {
	const kinds = (before: readonly ReturnType<typeof tool>[], after: readonly ReturnType<typeof tool>[]) =>
		newPowers(before, after).map((power) => [power.kind, power.tool.toolId]);

	it("name new tools, risks in both directions, rules, secrets and what may be repeated or allowed for a time", () => {
		const was = [tool("a.b.one", "write"), tool("a.b.two", "destructive"), tool("a.b.gone", "read")];
		const is = [
			tool("a.b.one", "destructive", { window: true, idempotent: true, policy: "allow", secrets: ["KEY"] }),
			tool("a.b.two", "write", { window: true }),
			tool("a.b.three", "write", { secrets: ["KEY"] }),
		];
		expect(kinds(was, is)).toEqual([
			["risk", "a.b.one"],
			["rule", "a.b.one"],
			["idempotent", "a.b.one"],
			["secret", "a.b.one"],
			["risk", "a.b.two"],
			["window", "a.b.two"],
			["new", "a.b.three"],
			["secret", "a.b.three"],
			["gone", "a.b.gone"],
		]);
		expect(newPowers(was, is)[4]).toMatchObject({ kind: "risk", isLower: true });
		expect(kinds(was, was)).toEqual([]);
	});
});

describe("the review of a version", () => {
	it("shows new powers before the code, and the code whole, wrapped, with what is hidden written out", async () => {
		const files = [{ path: "tools.ts", text: "const a = 1; // \u202E} evil" }];
		open({ toolSources: sources({ files }) }, "github");
		const powers = await screen.findByRole("region", { name: "Changes to what this integration can do" });
		expect(
			within(powers)
				.getAllByRole("listitem")
				.map((one) => one.querySelector(".st")?.textContent),
		).toEqual(["Risk raised", "New secret", "New tool"]);
		expect(powers.textContent).toContain("It was write and is now destructive.");
		const code = screen.getByRole("region", { name: "Changes to tools.ts" });
		expect(code.className).toContain("whole");
		expect(code.textContent).toContain("⟨U+202E⟩} evil");
		// A file that is gone is shown as well.
		expect(screen.getByRole("region", { name: "Changes to client.ts" })).toBeDefined();
		expect(powers.compareDocumentPosition(code) & Node.DOCUMENT_POSITION_FOLLOWING).not.toBe(0);
	});

	it("calls nothing new where the version before is not known", async () => {
		const { accepted: _, ...first } = sources();
		const old = { toolHash: OLD, files: first.files };
		open({ toolSources: { ...first, accepted: old } }, "github");
		const powers = await screen.findByRole("region", { name: "Capabilities of this version" });
		expect(powers.querySelector(".st")).toBeNull();
		expect(screen.getByText("The files haven’t changed.")).toBeDefined();
	});

	it("accepts exactly the version that is shown", async () => {
		const { calls } = open({ acceptTools: integration("github", { toolHash: NEW }) }, "github");
		fireEvent.click(await screen.findByRole("button", { name: "Accept this version" }));
		await waitFor(() => expect(told()).toEqual(["Accepted github. From now on, it follows your rules."]));
		expect(calls.find(({ method }) => method === "acceptTools")?.params).toEqual({ integration: "github", toolHash: NEW });
		route.set({ page: "home" });
	});

	it("replaces a version that changed while it was read, says so, and counts no press that began before", async () => {
		const newer = "b00b".repeat(16);
		let current = NEW;
		const { calls } = open(
			{
				toolSources: () => sources({ toolHash: current }),
				acceptTools: ({ toolHash }: { readonly toolHash: string }): Integration | Refused =>
					toolHash === current ? integration("github", { toolHash }) : new Refused("TOOL_CHANGED", "The tool changed."),
			},
			"github",
		);
		const accept = await screen.findByRole("button", { name: "Accept this version" });
		fireEvent.pointerDown(accept);
		current = newer;
		await act(async () => void dispatchEvent(new Event("focus")));
		await screen.findByText("github changed again while you were reading. This is the newest version.");
		fireEvent.click(accept);
		expect(calls.some(({ method }) => method === "acceptTools")).toBe(false);
		// The bridge refuses a version that is not the newest; the newest is shown in its place.
		current = "cafe".repeat(16);
		fireEvent.pointerDown(accept);
		fireEvent.click(accept);
		await waitFor(() => expect(screen.getByRole("contentinfo").textContent).toContain("cafe cafe cafe"));
		expect(calls.filter(({ method }) => method === "acceptTools").map(({ params }) => params.toolHash)).toEqual([newer]);
	});

	it("offers nothing to accept where it is accepted already, and says what could not be read", async () => {
		open({ toolSources: sources({ toolHash: OLD }) }, "github");
		await screen.findByText("You have accepted this version.");
		expect(screen.queryByRole("button", { name: "Accept this version" })).toBeNull();
		cleanup();
		open({ toolSources: new Refused("TOOL_NOT_FOUND", "There is no such tool.") }, "github");
		expect((await screen.findByRole("alert")).textContent).toContain("This version couldn’t be loaded. There is no such tool.");
	});
});
