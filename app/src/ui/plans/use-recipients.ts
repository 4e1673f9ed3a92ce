import type { Channel, Contact } from "@xworkmate/contracts";
import { callApp } from "../connection/call-app.ts";
import { useReadOften } from "../state/use-read-often.ts";
import { shared } from "./shared-read.ts";
import { type Read, usePlanRead } from "./use-plans.ts";

/** How long after a read contacts and channels are read again, because changes made by a command or another page are not reported. */
const READ_EVERY_MS = 5_000;

const askContacts = shared(() => callApp("contacts", {}).then(({ contacts }) => contacts));
const askChannels = shared(() => callApp("channels", {}).then(({ channels }) => channels));

/** The contacts that can receive messages. */
export function useContacts(): Read<readonly Contact[]> {
	return useOften<readonly Contact[]>(askContacts);
}

/** The channels that messages can be sent through. */
export function useChannels(): Read<readonly Channel[]> {
	return useOften<readonly Channel[]>(askChannels);
}

function useOften<T>(ask: () => Promise<T>): Read<T> {
	const { settled, readIfIdle, ...read } = usePlanRead<T>(ask);
	useReadOften(READ_EVERY_MS, settled, readIfIdle);
	return read;
}
