import { act, cleanup, renderHook } from "@testing-library/react";
import { ThreadId } from "@xworkmate/contracts";
import { afterEach, beforeEach, expect, it } from "vitest";
import { useThreadReader } from "../../../src/ui/follow/use-thread-reader.ts";
import { FakeApp } from "../../support/fake-app.ts";
import { until } from "../../support/until.ts";
import { detail } from "../composer/composer-scene.tsx";
import { InApp } from "../in-app.tsx";
import { summary } from "../stories.ts";

let app: FakeApp;
beforeEach(() => {
	app = new FakeApp();
	app.answers.set("readThread", () => detail());
	app.answers.set("watchFiles", () => ({ begun: false }));
});
afterEach(() => {
	cleanup();
	app[Symbol.dispose]();
});

it("a thread and its files are read again from each connection, because a displaced page missed the changes before it", async () => {
	let folder = "/before";
	app.answers.set("listFiles", () => ({ folder, runs: [] }));
	const here = new InApp();
	const { result } = renderHook(() => useThreadReader(ThreadId.parse("thread1"), summary("thread1", 5)), { wrapper: here.wrapper });
	const shown = () => result.current.open.value.files?.folder;
	await act(() => until("it is read", () => shown() === "/before"));
	const watched = app.of("watchFiles").length;
	folder = "/after";
	act(() => here.appLink.connections.set(2));
	await act(() => until("it is read again", () => shown() === "/after"));
	expect(app.of("watchFiles").length).toBeGreaterThan(watched);
});
