import { z } from "zod";

/** The only line on the window process's standard input. At the end of input, the window closes. */
export const WindowOrder = z.strictObject({
	/** A one-time link. It is not passed as an argument, because every program on the machine can read arguments. */
	link: z.string(),
	/** The absolute path of the folder in which the web view keeps cookies and settings. */
	dataDirectory: z.string(),
	title: z.string(),
});
export type WindowOrder = z.infer<typeof WindowOrder>;

/** The window process's standard output, one JSON document per line. */
export const WindowWord = z.discriminatedUnion("type", [
	z.object({ type: z.literal("open") }),
	/** No native window is available on this machine. */
	z.object({ type: z.literal("none"), why: z.string() }),
	/** An external address that the user followed. */
	z.object({ type: z.literal("outside"), url: z.url({ protocol: /^(?:https?|mailto)$/ }) }),
]);
export type WindowWord = z.infer<typeof WindowWord>;
