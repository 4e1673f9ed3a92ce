import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { PreviewBody } from "../../../src/ui/files/preview-body.tsx";
// Loaded on demand in a browser; here the first test would wait for its compilation.
import "../../../src/ui/files/text-preview.tsx";
import { until } from "../../support/until.ts";
import { InApp } from "../in-app.tsx";
import { appState } from "../stories.ts";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

const given = { size: 4, url: "/files/a", downloadUrl: "/files/a?download=1" };
const image = { ...given, kind: "image", relativePath: "a.png", name: "a.png" } as const;
const table = { ...given, kind: "csv", relativePath: "a.csv", name: "a.csv" } as const;
const CANNOT_SHOW = /Can’t preview this file/;

/** The route of the file. The app or the bridge may be away; then the browser cannot load the file either. */
function route() {
	const served = { by: "file" as "file" | "bridge away" | "nothing" };
	vi.stubGlobal("fetch", async () => {
		if (served.by === "nothing") throw new TypeError("nobody answers");
		if (served.by === "file") return new Response("text");
		return Response.json({ error: { code: "BRIDGE_UNREACHABLE", message: "The bridge does not respond." } }, { status: 400 });
	});
	return served;
}

describe("a file that could not be read", () => {
	it("[D28] is not called damaged while the app is away, and is shown once it is back", async () => {
		const served = route();
		served.by = "nothing";
		const here = new InApp();
		render(<PreviewBody {...image} />, { wrapper: here.wrapper });
		fireEvent.error(screen.getByRole("img"));
		act(() => here.link.set("gone"));
		await screen.findByText("Couldn’t read the file: The app isn’t responding.");
		expect(screen.queryByText(CANNOT_SHOW)).toBeNull();
		served.by = "file";
		act(() => here.link.set("live"));
		const again = await screen.findByRole("img");
		served.by = "nothing";
		fireEvent.error(again);
		act(() => here.link.set("gone"));
		await screen.findByText("Couldn’t read the file: The app isn’t responding.");
		served.by = "file";
		act(() => here.link.set("live"));
		await screen.findByRole("img");
	});

	it("[D28] is shown once the bridge, which has the copy, responds again", async () => {
		const served = route();
		served.by = "bridge away";
		const bridge = { ...appState.bridge, state: "unreachable" as const };
		const here = new InApp({ ...appState, bridge });
		render(<PreviewBody {...image} />, { wrapper: here.wrapper });
		fireEvent.error(screen.getByRole("img"));
		await screen.findByText(/Couldn’t read the file: The bridge does not respond\./);
		served.by = "file";
		act(() => here.app.set(appState));
		await screen.findByRole("img");
	});

	it("[D28] is called damaged or unsupported only if it can be served", async () => {
		route();
		render(<PreviewBody {...image} />, { wrapper: new InApp().wrapper });
		fireEvent.error(screen.getByRole("img"));
		fireEvent.error(await screen.findByRole("img"));
		await screen.findByText(CANNOT_SHOW);
		expect(screen.queryByRole("img")).toBeNull();
	});

	it("[D28] is not called damaged after a single request that failed in passing", async () => {
		route();
		const { rerender } = render(<PreviewBody {...image} />, { wrapper: new InApp().wrapper });
		fireEvent.error(screen.getByRole("img"));
		await screen.findByRole("img");
		expect(screen.queryByText(CANNOT_SHOW)).toBeNull();
		rerender(<PreviewBody {...image} url="/files/b" />);
		fireEvent.error(screen.getByRole("img"));
		await screen.findByRole("img");
	});

	it("[D28] is read again when it is text", async () => {
		const served = route();
		served.by = "nothing";
		const here = new InApp(undefined, "gone");
		render(<PreviewBody {...table} />, { wrapper: here.wrapper });
		await screen.findByText(/Couldn’t read the file: The app isn’t responding\./);
		served.by = "file";
		act(() => here.link.set("live"));
		await until("the text is shown", () => screen.queryByText("text") !== null);
		expect(screen.queryByText(/Couldn’t read the file/)).toBeNull();
	});
});
