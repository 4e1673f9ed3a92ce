import { z } from "zod";
import { editorWords } from "./editor-command.ts";
import { LoopbackAddress } from "./listen-address.ts";
import { count, onUnlessOff, setting } from "./setting-row.ts";
import { webAddress } from "./setting-values.ts";

const editorCommand = z
	.string()
	.max(1000)
	.superRefine((text, context) => {
		const words = editorWords(text);
		if (typeof words === "string") context.addIssue({ code: "custom", message: words });
	});

/** Variables that only the app and the command read. */
export const AppEnvironment = z.object({
	XWORKMATE_APP_LISTEN: setting(LoopbackAddress.default({ host: "127.0.0.1", port: 8788 }), {
		meaning: "Loopback address the app listens on.",
		group: "app",
		default: "127.0.0.1:8788",
	}),
	XWORKMATE_BRIDGE_URL: setting(webAddress.optional(), {
		meaning:
			"Address of a bridge that was started elsewhere; https unless it is on this computer. If unset, the app uses the bridge of its own data folder.",
		group: "app",
	}),
	XWORKMATE_EDITOR: setting(editorCommand.optional(), {
		meaning:
			"Command that opens a file in your editor, such as code -g {file}:{line}. It runs without a shell; {file} is the file's path, and is added at the end if it is missing. If unset, the page opens no editor.",
		group: "app",
		live: true,
	}),
	XWORKMATE_BACKGROUND: onUnlessOff({
		meaning:
			"Commands use an app in the background, which they start if none is running. If off, each command runs the app itself, for as long as the command runs.",
		group: "app",
		live: true,
	}),
	XWORKMATE_BACKGROUND_IDLE_MS: count(
		600_000,
		1_000,
		30 * 24 * 60 * 60_000,
		{
			meaning:
				"How long the app keeps running in the background when no page or command uses it and it has no work, such as a run, a plan with a next due time, or a connection to Discord.",
			group: "app",
		},
		"ms",
	),
});
