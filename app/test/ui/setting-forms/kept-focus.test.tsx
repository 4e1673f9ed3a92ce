import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { SettingRow } from "../../../src/api/setting-view.ts";
import { showSettings } from "./setting-scene.tsx";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

it("keep the focus when their value has been saved, and take a value that was stored elsewhere", async () => {
	const changes: Record<string, Partial<SettingRow>> = {};
	const asked = showSettings(["runs", "agents"], changes);
	const isSaved = (count: number) => vi.waitFor(() => expect(asked()).toHaveLength(count));
	const number = await screen.findByLabelText<HTMLInputElement>("Concurrent runs");
	number.focus();
	changes.maxActiveRuns = { value: 7 };
	fireEvent.change(number, { target: { value: "7" } });
	fireEvent.submit(number);
	await isSaved(1);
	await vi.waitFor(() => expect(screen.queryByRole("button", { name: "Save" })).toBeNull());
	expect([document.activeElement, number.value]).toEqual([number, "7"]);
	const agent = screen.getByLabelText<HTMLSelectElement>("Default agent");
	agent.focus();
	changes.defaultProvider = { value: "script" };
	changes.maxActiveRuns = { value: 9 };
	fireEvent.change(agent, { target: { value: "script" } });
	await isSaved(2);
	await vi.waitFor(() => expect(agent.value).toBe("script"));
	expect([document.activeElement, number.value]).toEqual([agent, "9"]);
});
