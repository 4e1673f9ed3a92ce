import { z } from "zod";
import { type TemporaryHome, temporaryHome } from "../../e2e/support/machine/temporary-home.ts";
import { Program } from "../programs/program.ts";
import { compare, type Result } from "../result.ts";
import { interleave } from "../rounds.ts";
import { growThreads } from "./grow-threads.ts";

const Bytes = z.object({ whole: z.number(), changed: z.number() });

/** The app's start until its list of threads, and what a page is sent when a thread changes that it shows. */
export async function benchManyThreads(quick: boolean): Promise<readonly Result[]> {
	await using few = await temporaryHome();
	await using many = await temporaryHome();
	const [threads, turns] = quick ? [500, 20] : [5_000, 200];
	growThreads(few, 20, 5);
	growThreads(many, threads, turns);
	const measures = { few: () => untilListed(few), many: () => untilListed(many) };
	await interleave(1, measures);
	const samples = await interleave(quick ? 2 : 5, measures);
	await using program = await Program.start("./list-threads.ts", [many.xworkmate]);
	const { whole, changed } = Bytes.parse(await program.ask({}));
	return [
		compare(samples, {
			unit: "ms",
			name: `app with ${threads} threads of ${turns} turns: from its start to its list`,
			measured: "many",
			against: "20 threads of 5 turns",
			baseline: "few",
			aim: { atMost: 2 },
		}),
		compare([{ changed: changed / 1024, whole: whole / 1024 }], {
			unit: "KiB",
			name: `sent when an open thread of ${turns} turns changes`,
			measured: "changed",
			against: "the whole thread",
			baseline: "whole",
			aim: { measuredAtMost: 20 },
		}),
	];
}

async function untilListed(home: TemporaryHome): Promise<number> {
	const start = performance.now();
	await using _app = await Program.start("./list-threads.ts", [home.xworkmate]);
	return performance.now() - start;
}
