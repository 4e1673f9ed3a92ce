import { receiveFrame, sendFrame } from "../../src/processes/frames/blocking-pipe.ts";

/*
 * In the place of the process of programs: says whatever the "program" tells it to, as one that was taken over would.
 * The program is JSON: frames, each a head and the lengths or texts of what is beside it.
 */
interface Said {
	readonly head: unknown;
	readonly texts?: readonly (string | number)[];
}

for (let frame = receiveFrame(); frame !== undefined; frame = receiveFrame()) {
	const said = JSON.parse(Buffer.from(frame.texts[0] ?? []).toString("utf8")) as Said[];
	sendFrame({ kind: "began" });
	for (const { head, texts = [] } of said)
		sendFrame(
			head,
			texts.map((text) => (typeof text === "number" ? "x".repeat(text) : text)),
		);
	// It does not end on its own: what it said is judged.
	receiveFrame();
}
