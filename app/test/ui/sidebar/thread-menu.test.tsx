import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { ThreadMenu } from "../../../src/ui/sidebar/thread-menu.tsx";
import { openThreadMenu, threadMenu } from "../../../src/ui/sidebar/thread-menu-button.tsx";
import { parseRoute, route } from "../../../src/ui/state/route.ts";
import { InApp } from "../in-app.tsx";
import { summary } from "../stories.ts";

afterEach(() => {
	cleanup();
	threadMenu.set(undefined);
	route.set(parseRoute(""));
});

it("closes when another page opens, where it would act on a thread that is not shown", () => {
	render(
		<div className="frame">
			<ThreadMenu />
		</div>,
		{ wrapper: new InApp().wrapper },
	);
	act(() => openThreadMenu(summary("a", 1), document.body));
	expect(screen.getByRole("menu")).toBeTruthy();
	act(() => route.set(parseRoute("#/t/b")));
	expect([threadMenu.value, screen.queryByRole("menu")]).toEqual([undefined, null]);
});
