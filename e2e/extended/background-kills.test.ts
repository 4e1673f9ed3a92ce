import { it } from "vitest";
import { backgroundKillRounds } from "../support/app/background-kill-rounds.ts";

it(
	"no thread is lost and none is doubled in ten kills of the app in the background or its command",
	() => backgroundKillRounds(41, 10),
	600_000,
);
