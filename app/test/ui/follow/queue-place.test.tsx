import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { RunBar } from "../../../src/ui/run/run-bar.tsx";
import { formatTime } from "../../../src/ui/text/format.ts";
import { emptyTurn } from "../../../src/ui/turn/turn-view.ts";
import { at, BEGIN, foldUpdates, update } from "../stories.ts";

afterEach(cleanup);

const bar = { createdAt: at(0), now: BEGIN + 5_400, away: false, gateway: false, stop: () => {}, tryNow: () => {} };

it("says when a run was at its place in the bridge's queue, because not every place is told", () => {
	const queued = foldUpdates(emptyTurn, [
		update(1, { kind: "status", progress: { stage: "queued", queuePosition: 20, queueLength: 30 } }, { status: "queued" }),
	]);
	const { container } = render(<RunBar {...bar} view={queued} />);
	expect(container.textContent).toContain(`Queued 20 of 30 as of ${formatTime(queued.lastAt ?? "")}`);
});
