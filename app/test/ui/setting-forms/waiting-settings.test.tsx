import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { SettingRow } from "../../../src/api/setting-view.ts";
import { showSettings } from "./setting-scene.tsx";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

const hintOf = (name: string) => {
	const row = screen.getByText(name, { selector: ".setting > *" }).closest(".setting");
	return row?.querySelector(".hint[id$=-say]")?.textContent;
};

describe("a setting that waits for a restart is shown, changed and undone as it was saved", () => {
	it("a list, which keeps what was added before", async () => {
		const asked = showSettings(["discord"], {
			discordApprovers: { source: "file", value: ["1"], waits: "bridge", next: { source: "file", value: ["1", "2"] } },
		});
		const field = await screen.findByLabelText<HTMLTextAreaElement>("Approvers");
		expect(field.value).toBe("1\n2");
		expect(hintOf("Approvers")).toContain("In use: 1. After a restart: 1, 2.");
		fireEvent.change(field, { target: { value: "1\n2\n3" } });
		fireEvent.submit(field);
		await vi.waitFor(() => expect(asked().map(({ params }) => params.value)).toEqual([["1", "2", "3"]]));
	});

	it("a choice, which can be set to the value in effect", async () => {
		const asked = showSettings(["permissions"], {
			toolsAccept: { value: "ask", waits: "bridge", next: { source: "file", value: "auto" } },
		});
		const field = await screen.findByLabelText<HTMLSelectElement>("Accepting tool code");
		expect(field.value).toBe("auto");
		expect(hintOf("Accepting tool code")).toContain("In use: ask. After a restart: auto.");
		fireEvent.change(field, { target: { value: "ask" } });
		await vi.waitFor(() => expect(asked().map(({ params }) => params)).toEqual([{ key: "toolsAccept", value: "ask" }]));
	});

	it("a switch and a number", async () => {
		const asked = showSettings(["openclaw", "bridge"], {
			openclawUntested: { value: false, waits: "bridge", next: { source: "file", value: true } },
			heartbeatMs: { value: 10_000, waits: "bridge", next: { source: "file", value: 9_000 } },
		});
		const toggle = await screen.findByRole("switch", { name: "Untested OpenClaw versions" });
		expect([toggle.getAttribute("aria-checked"), hintOf("Untested OpenClaw versions")]).toEqual([
			"true",
			expect.stringContaining("In use: Off. After a restart: On."),
		]);
		fireEvent.click(toggle);
		const number = screen.getByLabelText<HTMLInputElement>("Heartbeat");
		expect([number.value, hintOf("Heartbeat")]).toEqual(["9", expect.stringContaining("In use: 10 seconds. After a restart: 9 seconds.")]);
		fireEvent.change(number, { target: { value: "10" } });
		fireEvent.click(screen.getByRole("button", { name: "Save" }));
		await vi.waitFor(() => expect(asked().map(({ params }) => params.value)).toEqual([false, 10_000]));
	});

	it("has a default to go back to if config.json has the setting, and only then", async () => {
		const reset = (name: string) => screen.queryByRole("button", { name: `Use the default for ${name}` }) !== null;
		showSettings(["bridge", "openclaw"], {
			heartbeatMs: { source: "default", value: 10_000, waits: "bridge", next: { source: "file", value: 9_000 } },
			openclawMaxActive: { source: "file", value: 3, waits: "bridge", next: { source: "default", value: 1 } },
		});
		await screen.findByLabelText("Heartbeat");
		expect([reset("Heartbeat"), reset("Concurrent OpenClaw runs")]).toEqual([true, false]);
	});

	it("says what waits only if it is known, as it isn't at a bridge elsewhere", async () => {
		showSettings(["bridge"], { heartbeatMs: { waits: "bridge" } });
		await screen.findByLabelText("Heartbeat");
		expect(hintOf("Heartbeat")).toContain("The new value takes effect after a restart.");
	});

	it("can't be changed here if a variable will set it, and can be if one no longer will", async () => {
		showSettings(["runs"], {
			maxActiveRuns: { source: "file", value: 4, waits: "bridge", waitsInVariable: true, next: { source: "environment", value: 8 } },
			maxQueued: { source: "environment", value: 8, waits: "bridge", next: { source: "file", value: 9 } },
		});
		expect((await screen.findByLabelText<HTMLInputElement>("Queued messages")).value).toBe("9");
		expect(screen.queryByLabelText("Concurrent runs")).toBeNull();
		expect(hintOf("Concurrent runs")).toContain("In use: 4. After a restart: 8.");
	});
});

it("a long value that waits is wrapped", async () => {
	showSettings(["openclaw"], { openclawUrl: { waits: "bridge", next: { source: "file", value: `wss://${"a".repeat(200)}` } } });
	await screen.findByLabelText("Gateway address");
	expect(screen.getByText(/After a restart: wss:/).classList).toContain("wrap");
});

it.each([
	["removed", { source: "file", next: { source: "default" } }, "Not set", "Removed. The bridge uses the old one until it restarts.", false],
	["stored", { source: "default", next: { source: "file" } }, "Stored on this computer", "Stored, and used after a restart.", true],
	[
		"of a variable",
		{ source: "environment", next: { source: "default" } },
		"Not set",
		"The new value takes effect after a restart.",
		false,
	],
	[
		"replaced",
		{ source: "file", next: { source: "file" } },
		"Stored on this computer",
		"The new value takes effect after a restart.",
		true,
	],
] as const)("a secret that was %s is shown as it is stored, and when that applies", async (_, row, placeholder, hint, canRemove) => {
	showSettings(["discord"], { discordToken: { waits: "bridge", ...row } });
	const field = await screen.findByLabelText<HTMLInputElement>("Bot token");
	expect([field.placeholder, screen.queryByRole("button", { name: "Remove Bot token" }) !== null]).toEqual([placeholder, canRemove]);
	expect(hintOf("Bot token")).toContain(hint);
});

it("a value that can't be applied because the settings have a problem is shown as saved, and not as in use", async () => {
	const row: Partial<SettingRow> = { value: 20, waits: "correction", next: { source: "file", value: 5 } };
	showSettings(["runs"], { maxQueued: row }, { problem: { message: '"x" is not an XWorkmate setting.', fix: "Remove it." } });
	expect((await screen.findByLabelText<HTMLInputElement>("Queued messages")).value).toBe("5");
	expect(hintOf("Queued messages")).toContain("In use: 20. Saved: 5. The change can’t be applied until the settings are corrected.");
	expect(screen.queryByRole("status")).toBeNull();
});
