import { cleanup, render } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { RunBar } from "../../../src/ui/run/run-bar.tsx";
import { emptyTurn, foldEvents } from "../../../src/ui/turn/turn-view.ts";
import { at, BEGIN, foldUpdates, stage } from "../stories.ts";

afterEach(cleanup);

const working = [stage(1, "working")];
const bar = { createdAt: at(0), now: BEGIN + 5_400, away: false, gateway: false, stop: () => {}, tryNow: () => {} };

describe("the run bar of a run that is not heard of", () => {
	it("[D3] promises only a stop that is written down: in the app, or in this page", () => {
		const lost = foldEvents(foldUpdates(emptyTurn, working), [{ type: "connection_lost", code: "X" }]);
		const { container, rerender } = render(<RunBar {...bar} view={lost} />);
		expect(container.textContent).not.toMatch(/Stop (will be|requested)/);
		rerender(<RunBar {...bar} view={lost} appAway kept="unsent" />);
		expect(container.textContent).toContain("Stop requested. This page will send the request when XWorkmate responds.");
		expect(container.querySelector("[data-stop]")).toBeNull();
		rerender(<RunBar {...bar} view={lost} appAway kept="unsent" cancelRequestedAt={at(3)} />);
		expect(container.textContent).toContain("Stop requested 2 s ago. This page can’t reach XWorkmate to confirm it.");
	});

	it("[D3] offers no stop of a run that has ended, and says that only its files were being saved", () => {
		const sealing = foldUpdates(emptyTurn, [stage(1, "working"), stage(2, "sealing")]);
		const saving = { ...foldUpdates(emptyTurn, working), syncing: { files: 2, totalBytes: 10 } };
		for (const view of [sealing, saving]) {
			const { container } = render(<RunBar {...bar} view={foldEvents(view, [{ type: "connection_lost", code: "X" }])} away appAway />);
			expect(container.querySelector("[data-stop]")).toBeNull();
			expect(container.textContent?.includes("The run has ended. Connection lost while its files were being saved.")).toBe(view === saving);
			cleanup();
		}
	});

	it("[D3] says that the bridge is away, once XWorkmate has the stop", () => {
		const lost = foldEvents(foldUpdates(emptyTurn, working), [{ type: "connection_lost", code: "X", bridgeEnded: true }]);
		const { container, rerender } = render(<RunBar {...bar} view={lost} kept="sending" />);
		expect(container.textContent).toContain("Sending stop request.");
		rerender(<RunBar {...bar} view={lost} kept="unsent" />);
		expect(container.textContent).toContain("Stop requested. This page will send the request when XWorkmate responds.");
		expect(container.textContent).not.toContain("to confirm it");
		rerender(<RunBar {...bar} view={lost} cancelRequestedAt={at(3)} />);
		expect(container.textContent).toContain("Stop requested 2 s ago. XWorkmate can’t reach the bridge to confirm it.");
	});
});
