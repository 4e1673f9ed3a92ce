import { readFileSync } from "node:fs";
import { join } from "node:path";
import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { settings } from "@xworkmate/platform/settings";
import { afterEach, describe, expect, it, vi } from "vitest";
import { settingFormWords } from "../../../src/strings/settings/setting-form-words.ts";
import { fromUnit, inUnit } from "../../../src/ui/setting-forms/number-units.ts";
import SettingsPage from "../../../src/ui/settings/settings-page.tsx";
import { InApp } from "../in-app.tsx";
import { listOf, showSettings } from "./setting-scene.tsx";

const view = {
	home: "/h",
	threadsFolder: "/h/threads",
	logFile: "/h/log",
	appUrl: "http://x",
	remoteBridge: false,
	version: "1",
	set: [],
	operators: [],
	profiles: [],
	channels: [],
};

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

describe("the forms of settings", () => {
	it("are there for every setting, each with a name, on some part of the page", async () => {
		vi.stubGlobal("fetch", async (path: string) =>
			Response.json({ result: path.endsWith("/listSettings") ? listOf() : path.endsWith("/doctor") ? [] : view }),
		);
		const shown = new Set<string>();
		for (const part of [
			"general",
			"agents",
			"accounts",
			"folders",
			"permissions",
			"openclaw",
			"channels",
			"discord",
			"storage",
			"diagnostics",
		]) {
			render(<SettingsPage part={part} />, { wrapper: new InApp().wrapper });
			await screen.findAllByText((_, element) => element?.classList.contains("hint") === true);
			for (const { key } of settings) if (screen.queryAllByText(settingFormWords.names[key] ?? key).length > 0) shown.add(key);
			cleanup();
		}
		expect(settings.filter(({ key }) => settingFormWords.names[key] === undefined).map(({ key }) => key)).toEqual([]);
		expect(settings.filter(({ key }) => !shown.has(key)).map(({ key }) => key)).toEqual([]);
	}, 60_000);

	it("are fields for every row of docs/settings.md, or say why there is none", async () => {
		const page = readFileSync(join(import.meta.dirname, "../../../../docs/settings.md"), "utf8");
		const documented = [...page.matchAll(/^\| `(XWORKMATE_\w+)` \|/gm)].map(([, name = ""]) => name);
		expect(documented.toSorted()).toEqual(settings.map(({ name }) => name).toSorted());
		showSettings([...new Set(settings.map(({ group }) => group))]);
		await screen.findAllByText(/One per line/);
		const rows = [...document.querySelectorAll(".setting")];
		const without: string[] = [];
		for (const name of documented) {
			const { key = "", isSecret = false } = settings.find((one) => one.name === name) ?? {};
			const row = rows.find((one) => within(one as HTMLElement).queryAllByText(settingFormWords.names[key] ?? key).length > 0);
			const canChange = row?.querySelector("input, textarea, select, button") != null;
			if (row !== undefined && canChange) continue;
			without.push(name);
			expect([name, isSecret, row?.querySelector(".locked")?.textContent]).toEqual([
				...[name, isSecret],
				`Can only be set with the environment variable ${name}.`,
			]);
		}
		expect(without).toEqual(["XWORKMATE_HOME", "XWORKMATE_TOKEN"]);
	});

	it("say what a setting means in the words of the page, not in those of the command or the protocol", async () => {
		showSettings([...new Set(settings.map(({ group }) => group))]);
		await screen.findAllByText(/One per line/);
		const said = [...document.querySelectorAll(".setting .hint[id$=-say]")].map(({ textContent }) => textContent);
		expect(said).toHaveLength(settings.length);
		const foreign = /comma-separated|separated like|Set to |\bproviders?\b|\bturns?\b|unset:|<home>|[A-Z]+_[A-Z_]+|loopback/i;
		expect(said.filter((text) => foreign.test(text.replace(/Can only be set with.*|Comes from.*/, "")))).toEqual([]);
		// An empty list is a field that says it, and one that has lines says it below.
		const lists = settings.filter(({ key, form }) => form.kind === "list" && form.unit !== "folder" && key !== "allowProviders").length;
		expect(said.filter((text) => text.includes("One per line."))).toHaveLength(lists);
	});

	it("say what has a new value for XWorkmate itself, in a sentence", async () => {
		showSettings(["app"], { appListen: { waits: "app" } });
		expect((await screen.findByRole("status")).textContent).toBe(
			"App address has a new value. It takes effect once you stop XWorkmate where it runs and start it again.",
		);
	});

	it("save a number in the unit that was chosen, and a list by its lines", async () => {
		const asked = showSettings(["permissions"]);
		const timeout = await screen.findByLabelText("Approval timeout");
		expect(timeout).toHaveProperty("value", "15");
		fireEvent.change(timeout, { target: { value: "20" } });
		fireEvent.click(screen.getByRole("button", { name: "Save" }));
		fireEvent.change(screen.getByLabelText("Commands allowed without asking"), { target: { value: "git status\n\n npm test \n" } });
		const forms = screen.getAllByRole("button", { name: "Save" });
		for (const save of forms) fireEvent.click(save);
		await vi.waitFor(() => expect(asked().length).toBeGreaterThan(1));
		expect(asked().map(({ params }) => params)).toEqual(
			expect.arrayContaining([
				{ key: "approvalMs", value: 1_200_000 },
				{ key: "allowCommands", value: ["git status", "npm test"] },
			]),
		);
	});

	it.each([
		["runs", "Concurrent runs", "-3", "Concurrent runs must be a whole number from 1 to 1000."],
		["permissions", "Approval timeout", "-1", "Approval timeout must be between 50 milliseconds and 1 day."],
	] as const)("of %s say what number %s takes when %s is refused, at the field", async (group, name, typed, said) => {
		showSettings([group]);
		const field = await screen.findByLabelText(name);
		const refused = {
			code: "INVALID_INPUT",
			message: "someKey must be a whole number from 1 to 2.",
			fix: "Set it to a valid value: x",
		};
		vi.stubGlobal("fetch", async () => Response.json({ error: refused }, { status: 400 }));
		expect(field.getAttribute("aria-invalid")).toBe("false");
		fireEvent.change(field, { target: { value: typed } });
		fireEvent.click(screen.getByRole("button", { name: "Save" }));
		const alert = await screen.findByRole("alert");
		expect(alert.textContent).toBe(said);
		expect(field.getAttribute("aria-invalid")).toBe("true");
		expect(field.getAttribute("aria-describedby")?.split(" ")).toContain(alert.id);
	});

	it("add and remove project folders", async () => {
		const asked = showSettings(["folders"], { allowedRoots: { value: ["/a", "/b"], source: "file" } });
		fireEvent.click(await screen.findByRole("button", { name: "Remove /a" }));
		await vi.waitFor(() => expect(asked()).toHaveLength(1));
		await vi.waitFor(() => expect(screen.getByRole("button", { name: "Remove /b" }).getAttribute("aria-disabled")).toBe("false"));
		fireEvent.change(screen.getByRole("textbox", { name: "Project folders" }), { target: { value: "/c" } });
		fireEvent.click(screen.getByRole("button", { name: "Add folder" }));
		await vi.waitFor(() => expect(asked()).toHaveLength(2));
		expect(asked().map(({ params }) => params.value)).toEqual([["/b"], ["/a", "/b", "/c"]]);
	});

	it("add a project folder by walking to it, hidden folders folded away, and say why one can't be opened", async () => {
		const asked = showSettings(["folders"], { allowedRoots: { value: ["/a"], source: "file" } });
		const answers: Record<string, object> = {
			"": { path: "/home/me", parent: "/home", folders: [".git", "work"].map((name) => ({ name, isHidden: name === ".git" })) },
			"/home/me/work": { path: "/home/me/work", parent: "/home/me", folders: [] },
		};
		const before = fetch;
		vi.stubGlobal("fetch", async (path: string, init: { body: string }) => {
			if (!path.endsWith("/browseFolders")) return before(path, init);
			const answer = answers[(JSON.parse(init.body) as { path?: string }).path ?? ""];
			if (answer !== undefined) return Response.json({ result: answer });
			return Response.json({ error: { code: "WORKSPACE_REFUSED", message: "It leads through a link." } }, { status: 400 });
		});
		const browse = await screen.findByRole("button", { name: "Browse" });
		fireEvent.click(browse);
		const here = await screen.findByRole("button", { name: "Add /home/me" });
		await vi.waitFor(() => expect(document.activeElement).toBe(here));
		expect(screen.getByText("Hidden folders: 1").closest("details")?.open).toBe(false);
		fireEvent.click(screen.getByRole("button", { name: ".git" }));
		expect((await screen.findByRole("alert")).textContent).toBe("It leads through a link.");
		fireEvent.click(screen.getByRole("button", { name: "work" }));
		// A press that comes before the other folder is shown adds none.
		fireEvent.click(here);
		fireEvent.click(await screen.findByRole("button", { name: "Add /home/me/work" }));
		await vi.waitFor(() => expect(asked().map(({ params }) => params.value)).toEqual([["/a", "/home/me/work"]]));
		await vi.waitFor(() => expect(document.activeElement).toBe(browse));
		expect(screen.queryByText("Add this folder")).toBeNull();
	});

	it("tick the agents that are allowed without asking by their names, and keep one that is not known until it is cleared", async () => {
		const asked = showSettings(["permissions"], { allowProviders: { value: ["gone"], source: "file" } });
		await screen.findByRole("checkbox", { name: "gone" });
		const group = screen.getByRole("group", { name: "Agents allowed without asking" });
		expect(within(group).getAllByRole("checkbox")).toHaveLength(2);
		expect(screen.getByText(/XWorkmate can’t tell which\.$/)).toBeDefined();
		expect(within(group).getByRole("checkbox", { name: "gone" })).toHaveProperty("checked", true);
		fireEvent.click(within(group).getByRole("checkbox", { name: "Script" }));
		await vi.waitFor(() => expect(asked().map(({ params }) => params)).toEqual([{ key: "allowProviders", value: ["gone", "script"] }]));
		const gone = screen.getByRole("checkbox", { name: "gone" });
		await vi.waitFor(() => expect(gone.getAttribute("aria-disabled")).toBe("false"));
		fireEvent.click(gone);
		await vi.waitFor(() => expect(asked().at(-1)?.params).toEqual({ key: "allowProviders" }));
	});

	it("choose the default agent from those that there are, and keep one that is not known", async () => {
		const asked = showSettings(["agents"], { defaultProvider: { value: "gone", source: "file" } });
		await screen.findByRole("option", { name: "gone (unknown here)" });
		const field = screen.getByLabelText("Default agent");
		expect(field.tagName).toBe("SELECT");
		expect(within(field).getAllByRole("option").at(-1)?.textContent).toBe("gone (unknown here)");
		expect(field).toHaveProperty("value", "gone");
		fireEvent.change(field, { target: { value: "script" } });
		await vi.waitFor(() => expect(asked()).toHaveLength(1));
		await vi.waitFor(() => {
			fireEvent.change(field, { target: { value: "" } });
			expect(asked()).toHaveLength(2);
		});
		expect(asked().map(({ params }) => params)).toEqual([{ key: "defaultProvider", value: "script" }, { key: "defaultProvider" }]);
	});

	it("can't change what a flag or the environment sets, and say which", async () => {
		showSettings(["runs"], { maxActiveRuns: { source: "flag", value: 7 }, maxQueued: { source: "environment", value: 8 } });
		expect(await screen.findByText(/Set by the bridge’s flag --max-active-runs/)).toBeTruthy();
		expect(screen.getByText(/Comes from the environment variable XWORKMATE_MAX_QUEUED/)).toBeTruthy();
		expect(screen.queryByLabelText("Concurrent runs")).toBeNull();
		expect(screen.queryByLabelText("Queued messages")).toBeNull();
		expect(screen.getByLabelText("Queued messages per thread")).toBeTruthy();
	});

	it("keep no secret: it is sent once and never shown", async () => {
		const asked = showSettings(["openclaw"], { openclawToken: { source: "file" } });
		const field = await screen.findByLabelText("Gateway token");
		if (!(field instanceof HTMLInputElement)) throw new Error("it is not a field");
		expect(field.type).toBe("password");
		// The app removes the spaces and then refuses the empty secret with the command's advice.
		field.value = "  ";
		fireEvent.click(screen.getByRole("button", { name: "Replace" }));
		field.value = "hunter2hunter2";
		fireEvent.click(screen.getByRole("button", { name: "Replace" }));
		await vi.waitFor(() => expect(asked()).toHaveLength(1));
		expect(asked()[0]).toEqual({ method: "storeSecret", params: { key: "openclawToken", secret: "hunter2hunter2" } });
		expect(field.value).toBe("");
	});

	it("offer the restart for what waits for it, and say what is wrong with the file", async () => {
		const problem = { message: '/x/config.json:2:2: "a" is not a setting.', fix: "Remove it." };
		const asked = showSettings(["bridge"], { heartbeatMs: { waits: "bridge" } }, { problem });
		expect((await screen.findByRole("alert")).textContent).toContain('config.json:2:2: "a" is not a setting. Remove it.');
		const note = screen.getByRole("status");
		expect(note.textContent).toContain("The new value of Heartbeat takes effect after a restart.");
		fireEvent.click(within(note).getByRole("button", { name: "Restart bridge" }));
		await vi.waitFor(() => expect(asked()[0]?.method).toBe("restartBridge"));
	});
});

it("a value is shown in a unit that fits, and comes back as it was typed", () => {
	expect([3_600_000, 90_000, 0, 1_500].map((value) => inUnit(value, "ms"))).toEqual([
		{ text: "1", unit: "h" },
		{ text: "90", unit: "s" },
		{ text: "0", unit: "ms" },
		{ text: "1500", unit: "ms" },
	]);
	expect(inUnit(53_687_091_200, "bytes")).toEqual({ text: "53.687", unit: "GB" });
	expect([fromUnit("1,5", "h"), fromUnit("50", "GB"), fromUnit("x", "s"), fromUnit("-1", "s")]).toEqual([
		5_400_000,
		5e10,
		undefined,
		undefined,
	]);
});
