import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { homeVerification } from "../../../src/ui/doctor/home-verification.ts";
import { VerifyBlock } from "../../../src/ui/settings/verify-block.tsx";
import { fakeApp, Refused } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { appState } from "../stories.ts";

beforeEach(() => homeVerification.set({}));
afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

/** A verification that says what it is given, line by line. */
function lines() {
	let out: ReadableStreamDefaultController<Uint8Array> | undefined;
	const body = new ReadableStream<Uint8Array>({
		start: (controller) => {
			out = controller;
		},
	});
	return { body, say: (line: object) => out?.enqueue(new TextEncoder().encode(`${JSON.stringify(line)}\n`)) };
}

function show(answers: Readonly<Record<string, unknown>>) {
	const calls = fakeApp(answers);
	const here = new InApp(appState);
	render(<VerifyBlock />, { wrapper: here.wrapper });
	return { calls, said: here.said };
}

const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));

it("a press verifies everything that is stored, says how far it is, and what it found with what to do", async () => {
	const { body, say } = lines();
	const { calls, said } = show({ verifyHome: body });
	press("Verify everything");
	say({ type: "progress", part: "storedFiles", done: 2_000_000, of: 4_000_000 });
	await waitFor(() => expect(screen.getByText("Reading the stored files: 2 MB of 4 MB")).toBeTruthy());
	const fix = "Get it again: xworkmate sync one";
	say({ type: "finding", finding: { about: "thread files", state: "problem", message: "a.txt is missing.", fix } });
	say({ type: "finding", finding: { about: "receipts", state: "ok", message: "6 receipts are whole." } });
	say({ type: "ended" });
	await waitFor(() => expect(said).toEqual(["Something doesn’t match its record or couldn’t be read."]));
	expect(screen.getByText("Something doesn’t match its record or couldn’t be read.")).toBeTruthy();
	expect(screen.getByText("Threads’ files")).toBeTruthy();
	expect(screen.getByText("a.txt is missing.")).toBeTruthy();
	expect(screen.getByText("xworkmate sync one")).toBeTruthy();
	expect(screen.getByText(/Verified at .* in .*/)).toBeTruthy();
	expect(calls.map(({ method }) => method)).toEqual(["verifyHome"]);
});

it("can be stopped: the last result stays with its age", async () => {
	homeVerification.set({ verified: { findings: [], at: new Date(2024, 0, 2, 10).toISOString(), tookMs: 1_000 } });
	const { body, say } = lines();
	show({ verifyHome: body });
	press("Verify everything");
	say({ type: "progress", part: "databases", done: 0 });
	await waitFor(() => expect(screen.getByText("Reading the databases")).toBeTruthy());
	press("Stop");
	await waitFor(() => expect(screen.getByText("Stopped before everything was verified.")).toBeTruthy());
	expect(screen.getByText("Everything that was verified matches its record.")).toBeTruthy();
	expect(screen.getByText("Verified at 2 Jan 2024 10:00 in 1 s")).toBeTruthy();
	expect(screen.getByRole("button", { name: "Verify everything" })).toBeTruthy();
});

it("never calls intact what was not read to its end", async () => {
	const { said } = show({ verifyHome: new Refused("INTERNAL", "It broke.") });
	press("Verify everything");
	await waitFor(() => expect(screen.getByText(/^Couldn’t verify: /)).toBeTruthy());
	expect(said).toEqual([expect.stringMatching(/^Couldn’t verify: /)]);
	expect(screen.queryByText("Everything that was verified matches its record.")).toBeNull();
});
