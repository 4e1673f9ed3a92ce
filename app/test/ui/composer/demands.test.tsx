import { setImmediate } from "node:timers/promises";
import { act, fireEvent, screen } from "@testing-library/react";
import { createRef } from "react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ComposerHandle } from "../../../src/ui/composer/composer-handle.ts";
import type { FakeApp } from "../../support/fake-app.ts";
import { until } from "../../support/until.ts";
import { at } from "../stories.ts";
import { compose, composerApp, detail, leaveComposer } from "./composer-scene.tsx";

/** Everything that a press began without waiting for the app has happened. */
const idle = () => act(async () => void (await setImmediate()));

let app: FakeApp;
beforeEach(() => {
	app = composerApp();
});
afterEach(() => leaveComposer(app));

describe("what a message's run must deliver", () => {
	const required = [{ glob: "report.pdf", minCount: 1 }];
	const asking = () => fireEvent.click(screen.getByRole("button", { name: "Required files" }));
	const globs = () => screen.getByRole("textbox", { name: "Add a required file" });
	const typeGlob = (value: string) => fireEvent.change(globs(), { target: { value } });
	const chips = () => screen.getAllByRole("button", { name: /^Remove / }).map((one) => one.getAttribute("aria-label"));

	it("is asked for without losing a draft, which comes back with its own options", async () => {
		const composer = createRef<ComposerHandle>();
		const { field, type, press, settled } = compose(app, { thread: detail(), ref: composer });
		type("my draft");
		act(() => composer.current?.write("Please write report.pdf", { require: required, requiresExport: true }));
		expect(field).toHaveProperty("value", "Please write report.pdf");
		expect(screen.getByRole("region", { name: "Your draft comes back after you send this message" }).textContent).toContain("my draft");
		press("Enter");
		await act(() => settled(1));
		expect(app.of("send")).toMatchObject([{ prompt: "Please write report.pdf", require: required, requiresExport: true }]);
		await until("the draft is back", () => "value" in field && field.value === "my draft");
		expect(screen.queryByRole("group", { name: "Required files" })).toBeNull();
	});

	it("replaces what the draft requires by what the message requires, also if that is nothing but a file", async () => {
		const composer = createRef<ComposerHandle>();
		const draft = { prompt: "", routing: { executionTarget: "agent" as const }, require: ["old.pdf"], updatedAt: at(1) };
		const { press, settled } = compose(app, { thread: detail({ draft }), ref: composer });
		act(() => composer.current?.write("Please write a file", { requiresExport: true }));
		press("Enter");
		await act(() => settled(1));
		expect(app.of("send")).toMatchObject([{ requiresExport: true }]);
		expect(app.of("send")[0]).not.toHaveProperty("require");
	});

	it("is shown where it is at least one file, of an earlier message too, and can be removed", async () => {
		const composer = createRef<ComposerHandle>();
		const thread = detail();
		const [again] = thread.turns;
		if (again === undefined) throw new Error("the thread has a turn");
		const { press, settled } = compose(app, { thread, ref: composer });
		const contract = { ...again.request.contract, requiresExport: true };
		act(() => composer.current?.writeAgain({ ...again, request: { ...again.request, contract } }));
		expect(screen.getByRole("group", { name: "Required files" }).textContent).toContain("at least one file");
		fireEvent.click(screen.getByRole("button", { name: "Remove at least one file" }));
		expect(screen.queryByText("at least one file")).toBeNull();
		press("Enter");
		await act(() => settled(1));
		expect(app.of("send")[0]).not.toHaveProperty("requiresExport");
	});

	it("goes with the message if it is still being typed, under the same ids when it is sent again", async () => {
		app.answers.set("send", () => Promise.reject(Object.assign(new Error("no answer"), { name: "APP_GONE" })));
		const { type, press, settled } = compose(app, { thread: detail() });
		asking();
		typeGlob("report.pdf");
		type("write it");
		press("Enter");
		await act(() => settled(1));
		await idle();
		expect(chips()).toEqual(["Remove report.pdf"]);
		press("Enter");
		await act(() => settled(2));
		const [first, second] = app.of("send");
		expect(first).toMatchObject({ require: required });
		expect(second?.["turnId"]).toBe(first?.["turnId"]);
	});

	it("holds the message while its field has a pattern that cannot be required, and says why", async () => {
		const { here, type, press, send, settled } = compose(app, { thread: detail() });
		asking();
		typeGlob("/out/report.pdf");
		fireEvent.blur(globs());
		type("make the report");
		expect(send).toHaveProperty("disabled", true);
		press("Enter");
		await idle();
		const why = "Use a relative path without “..”";
		expect([app.of("send"), here.said]).toEqual([[], [why]]);
		expect(screen.getByRole("alert").textContent).toBe(why);
		// It does not disappear from sight while it holds the message.
		asking();
		expect(globs()).toHaveProperty("value", "/out/report.pdf");
		typeGlob("out/report.pdf");
		expect(screen.queryByRole("alert")).toBeNull();
		press("Enter");
		await act(() => settled(1));
		expect(app.of("send")).toMatchObject([{ require: [{ glob: "out/report.pdf", minCount: 1 }] }]);
	});

	it("is a list where it is pasted or typed with commas, except for those inside braces", () => {
		compose(app, { thread: detail() });
		asking();
		typeGlob("a.pdf, {b,c}.pdf , ../d.pdf");
		fireEvent.keyDown(globs(), { key: "Enter" });
		expect(chips()).toEqual(["Remove a.pdf", "Remove {b,c}.pdf"]);
		expect(globs()).toHaveProperty("value", "../d.pdf");
		typeGlob("{e,");
		expect(globs()).toHaveProperty("value", "{e,");
		typeGlob("{e,f}.pdf");
		expect(chips()).toHaveLength(2);
		typeGlob("{e,f}.pdf,");
		expect(chips().at(-1)).toBe("Remove {e,f}.pdf");
		expect(globs()).toHaveProperty("value", "");
	});
});
