import { z } from "zod";

/** What the window's process reads from standard input: one line, then nothing; end of input means that the app is gone. */
export const WindowOrder = z.strictObject({
	/** A one-time link. Not passed as an argument, because every program on the machine can read those. */
	link: z.string(),
	/** Where the web view keeps cookies and settings, absolute. */
	dataDirectory: z.string(),
	title: z.string(),
});
export type WindowOrder = z.infer<typeof WindowOrder>;

/** What it writes to standard output, one JSON document per line. */
export const WindowWord = z.discriminatedUnion("type", [
	z.object({ type: z.literal("open") }),
	/** No window can be had here. */
	z.object({ type: z.literal("none"), why: z.string() }),
	/** An external address that the user followed. */
	z.object({ type: z.literal("outside"), url: z.url({ protocol: /^(?:https?|mailto)$/ }) }),
]);
export type WindowWord = z.infer<typeof WindowWord>;
