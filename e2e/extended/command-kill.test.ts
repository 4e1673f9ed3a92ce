import { it } from "vitest";
import { appKillRounds } from "../support/app-kill-rounds.ts";

it("[T4-18] [T4-59] takes up every thread again over twelve kills of the app", () => appKillRounds(Date.now() % 1_000_000, 12), 600_000);
