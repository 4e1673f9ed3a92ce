import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { SettingGroups } from "../../../src/ui/settings/setting-groups.tsx";
import { fakeApp } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { listOf } from "./setting-scene.tsx";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

it("a list that was asked for before a change and is answered after it does not replace what was saved", async () => {
	const earlier = Promise.withResolvers<unknown>();
	const answers = [listOf(), earlier.promise];
	fakeApp({ listSettings: () => answers.shift(), changeSetting: listOf({ openclawUntested: { source: "file", value: true } }) });
	const isOn = () => screen.getByRole("switch", { name: "Untested OpenClaw versions" }).getAttribute("aria-checked");
	const { wrapper } = new InApp();
	render(<SettingGroups groups={["openclaw"]} />, { wrapper });
	await act(async () => undefined);
	// Another form of the page reads the settings too.
	render(<SettingGroups groups={["storage"]} />, { wrapper });
	fireEvent.click(screen.getByRole("switch", { name: "Untested OpenClaw versions" }));
	await act(async () => undefined);
	expect(isOn()).toBe("true");
	earlier.resolve(listOf());
	await act(async () => undefined);
	expect(isOn()).toBe("true");
});
