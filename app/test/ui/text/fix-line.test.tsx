import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { CopyLine } from "../../../src/ui/components/copy-line.tsx";
import { commandOf, readFix } from "../../../src/ui/text/fix-line.ts";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

describe("how to fix something", () => {
	it.each([
		["npm install -g codex", "npm install -g codex"],
		["Install it: npm install -g codex", "npm install -g codex"],
		["chmod 600 '/home/me/token'", "chmod 600 '/home/me/token'"],
		["XWORKMATE_HOME=/x npm start", "XWORKMATE_HOME=/x npm start"],
		["npm install .", "npm install ."],
		["Run `npm run -s xworkmate -- open` in a terminal, then try again.", "npm run -s xworkmate -- open"],
		["Set `XWORKMATE_HOME`, then run `npm start`.", "npm start"],
	])("[D27] copies the command and nothing around it: %s", (fix, command) => {
		expect(commandOf(readFix(fix))).toBe(command);
	});

	it.each([
		"Set XWORKMATE_OPENCLAW_URL and XWORKMATE_OPENCLAW_TOKEN, and start the bridge again.",
		"Free some space: runs wait until then.",
	])("[D27] offers no copy of a sentence: %s", (fix) => {
		render(<CopyLine text={fix} />);
		expect(screen.queryByRole("button")).toBeNull();
		expect(screen.getByText(/Set|Free some space/)).toBeTruthy();
	});

	it("[D27] shows a command in backticks as code, and copies what is shown", async () => {
		const copied: string[] = [];
		vi.stubGlobal("navigator", { ...navigator, clipboard: { writeText: async (text: string) => void copied.push(text) } });
		const { container } = render(<CopyLine text={"Run `npm\u202E start`, then try again."} />);
		expect(container.textContent).not.toContain("`");
		expect(container.querySelector("code")?.textContent).toBe("npm⟨U+202E⟩ start");
		fireEvent.click(screen.getByRole("button", { name: "Copy command npm⟨U+202E⟩ start" }));
		await screen.findByText("Copied");
		expect(copied).toEqual(["npm⟨U+202E⟩ start"]);
	});
});
