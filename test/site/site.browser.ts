// npm run test:docs: builds the site and looks at it in a browser, from the disk, as whoever unpacks it does. $SCREENSHOTS is a directory
// for pictures of it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { root } from "../helpers/programs.js";
import { after, describe, test } from "../helpers/test.js";

const site = mkdtempSync(join(tmpdir(), "site-"));
execFileSync(process.execPath, ["--import", "tsx", "tools/docs.ts", "--out", site], { cwd: root, stdio: "ignore" });
after(() => rmSync(site, { recursive: true }));

const files = readdirSync(site, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".html"));
const documents = files.filter((file) => file.startsWith("documents/"));

describe("links", () => {
  /** The names that a page can be entered at. */
  const ids = new Map<string, Set<string>>();
  const idsOf = (file: string) => {
    const known = ids.get(file);
    if (known !== undefined) return known;
    const found = new Set([...readFileSync(file, "utf8").matchAll(/\bid="([^"]*)"/g)].map(([, id = ""]) => id));
    ids.set(file, found);
    return found;
  };

  test("every link and every file that a page names is there, and every place in it", (t) => {
    const broken: string[] = [];
    let count = 0;
    for (const file of files) {
      const path = join(site, file);
      for (const [, to = ""] of readFileSync(path, "utf8").matchAll(/\b(?:href|src)="([^"]*)"/g)) {
        if (/^(?:https?|mailto|data):/.test(to) || to === "" || to.startsWith("#icon-")) continue;
        count++;
        const [name = "", place = ""] = to.replaceAll("&amp;", "&").split("#");
        const target = name === "" ? path : resolve(dirname(path), decodeURIComponent(name));
        if (!existsSync(target) || statSync(target).isDirectory()) broken.push(`${file}: ${to}`);
        else if (place !== "" && !idsOf(target).has(decodeURIComponent(place))) broken.push(`${file}: ${to}`);
      }
    }
    t.diagnostic(`${count} links on ${files.length} pages`);
    assert.ok(files.length > 100 && documents.length > 30);
    assert.deepEqual(broken, []);
  });

  test("each page of docs/ is on the site", () => {
    const pages = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" }).filter((f) =>
      f.endsWith(".md"),
    );
    const headings = new Set(
      documents.map((file) => /<h1[^>]*>(.*?)<a/.exec(readFileSync(join(site, file), "utf8"))?.[1]),
    );
    const missing = pages.filter((page) => {
      const [, heading = ""] = /^# (.*)$/m.exec(readFileSync(join(root, "docs", page), "utf8")) ?? [];
      return !headings.has(heading.replaceAll("'", "&#39;")) && !headings.has(heading);
    });
    assert.deepEqual(missing, []);
  });
});

/** Where Debian, and others, have it. */
const executablePath = [process.env["CHROMIUM"], "/usr/bin/chromium", "/usr/bin/google-chrome"].find(
  (path) => path !== undefined && existsSync(path),
);

describe("in a browser", {
  skip: executablePath === undefined && "there is no Chromium here: apt-get install chromium",
}, () => {
  let browser: Browser | undefined;
  const started = async () => {
    browser ??= await chromium.launch({ executablePath: executablePath ?? "", args: ["--no-sandbox"] });
    return browser;
  };
  after(() => browser?.close());

  const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  const sizeOf = (file: string) => statSync(join(site, file)).size;
  const urlOf = (file: string) => pathToFileURL(join(site, file)).href;
  const nameOf = (heading: string) => {
    const file = documents.find((name) => readFileSync(join(site, name), "utf8").includes(`<title>${heading} |`));
    return file ?? assert.fail(`there is no page ${heading}`);
  };

  interface View {
    readonly scheme?: "light" | "dark";
    readonly width?: number;
    readonly height?: number;
  }

  /** Opens a page, once it is shown, and gathers what is wrong with it. */
  async function opened(file: string, { scheme = "light", width = 1280, height = 900 }: View = {}) {
    const context = await (await started()).newContext({ colorScheme: scheme, viewport: { width, height } });
    const page = await context.newPage();
    const errors: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") errors.push(message.text());
    });
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("requestfailed", (request) => errors.push(`not loaded: ${request.url()}`));
    await page.goto(urlOf(file));
    await page.waitForFunction('document.body.style.display !== "none"');
    await page.waitForFunction('document.querySelectorAll(".tsd-navigation a").length > 5');
    return { page, errors, close: () => context.close() };
  }

  /** Pages of each kind: all that we write, and one of each kind of the reference. */
  const kinds = [...new Set(files.map(dirname))].filter((kind) => !["documents", "."].includes(kind));
  const sample = [
    ...documents,
    "index.html",
    "modules.html",
    ...kinds.flatMap((kind) => files.find((f) => dirname(f) === kind) ?? []),
  ];

  test("no page has an error, or is wider than a phone", async (t) => {
    const wrong: string[] = [];
    for (const file of sample) {
      const { page, errors, close } = await opened(file, { width: 390, height: 800 });
      wrong.push(...errors.map((error) => `${file}: ${error}`));
      const wider = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
      if (wider > 0) wrong.push(`${file}: ${wider} pixels wider`);
      await close();
    }
    t.diagnostic(`${sample.length} pages`);
    assert.deepEqual(wrong, []);
  });

  test("code keeps its lines and their indentation on a phone, and scrolls", async () => {
    const { page, close } = await opened(nameOf("Deploy on a node"), { width: 390, height: 800 });
    interface Block {
      lines: number;
      rows: number;
      isWider: boolean;
      overflow: string;
    }
    const blocks = await page.evaluate<Block[]>(`[...document.querySelectorAll(".tsd-typography pre")].map((block) => {
      const code = block.querySelector("code");
      const style = getComputedStyle(code);
      return {
        lines: code.innerText.trimEnd().split("\\n").length,
        rows: Math.round(code.getBoundingClientRect().height / (Number.parseFloat(style.lineHeight) || 1)),
        isWider: block.scrollWidth > block.clientWidth,
        overflow: getComputedStyle(block).overflowX,
      };
    })`);
    await close();
    const wide = blocks.filter(({ isWider }) => isWider);
    assert.ok(wide.length > 1, "manifests are wider than a phone");
    for (const { overflow } of wide) assert.equal(overflow, "auto");
    for (const { lines, rows } of blocks) assert.ok(rows <= lines + 3, `${lines} lines in ${rows} rows`);
  });

  test("search finds DELETED, by the keyboard alone, without a server", async () => {
    const { page, errors, close } = await opened("index.html");
    await page.keyboard.press("/");
    const input = page.locator("#tsd-search-input");
    await input.waitFor({ state: "visible" });
    await input.pressSequentially("DELETED");
    const results = page.locator("#tsd-search-results li");
    await results.first().waitFor();
    const found = await results.allTextContents();
    assert.ok(
      found.some((text) => text.includes("The watch")),
      found.join(", "),
    );
    await page.keyboard.press("ArrowDown");
    await Promise.all([page.waitForURL((url) => !url.pathname.endsWith("/index.html")), page.keyboard.press("Enter")]);
    await page.waitForFunction('document.body.style.display !== "none"');
    assert.match(await page.locator("body").innerText(), /DELETED/);
    assert.deepEqual(errors, []);
    await close();
  });

  test("search finds the pages on what people look for, by their words", async () => {
    const wanted: Readonly<Record<string, string>> = {
      reconnect: "Retries, rate limits, reconnecting",
      backoff: "Retries, rate limits, reconnecting",
      FAILED_PRECONDITION: "Retries, rate limits, reconnecting",
      "rate limit": "Retries, rate limits, reconnecting",
      "field mask": "Field masks",
      conformance: "The command",
      "reference server": "Testing against a reference server",
      interceptor: "For who knows connect",
      vitest: "Testing against a reference server",
      "lookup by ip": "The informer",
    };
    const { page, close } = await opened("index.html");
    await page.keyboard.press("/");
    const input = page.locator("#tsd-search-input");
    await input.waitFor({ state: "visible" });
    const missed: string[] = [];
    for (const [words, heading] of Object.entries(wanted)) {
      await input.fill(words);
      try {
        await page.locator("#tsd-search-results li", { hasText: heading }).first().waitFor({ timeout: 20_000 });
      } catch {
        const found = await page.locator("#tsd-search-results li").allTextContents();
        missed.push(`${words}: ${heading} is not among ${found.slice(0, 8).join(", ")}`);
      }
    }
    assert.deepEqual(missed, []);
    await close();
  });

  test("a page is reached by the keyboard", async () => {
    const { page, close } = await opened("index.html");
    await page.locator('.tsd-navigation a:has-text("The watch")').first().focus();
    await Promise.all([page.waitForURL(/The_watch/), page.keyboard.press("Enter")]);
    await close();
  });

  test("the theme follows the system, and can be chosen", async () => {
    const colourOf = (page: Page) => page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
    const [light, dark] = [await opened("index.html"), await opened("index.html", { scheme: "dark" })];
    assert.notEqual(await colourOf(light.page), await colourOf(dark.page));
    await dark.page.evaluate('localStorage.setItem("tsd-theme", "light")');
    await dark.page.reload();
    assert.equal(await colourOf(dark.page), await colourOf(light.page));
    await light.close();
    await dark.close();
  });

  interface Violation {
    readonly id: string;
    readonly impact: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
  }

  /** In the reference the theme has links in summaries, and leaves out levels of headings. */
  const OF_THEME = new Set(["nested-interactive", "heading-order"]);

  /** A page of each template; of ours the longest, which has most of what pages have. */
  const longest = documents.reduce((one, other) => (sizeOf(one) >= sizeOf(other) ? one : other));
  const templates = sample.filter((file) => file === longest || !documents.includes(file));

  for (const scheme of ["light", "dark"] as const) {
    test(`axe finds nothing, ${scheme}`, async (t) => {
      const found: string[] = [];
      for (const file of templates) {
        const { page, close } = await opened(file, { scheme });
        await page.evaluate(axe);
        const violations = await page.evaluate<Violation[]>("axe.run().then(({ violations }) => violations)");
        for (const { id, impact, nodes } of violations) {
          if (!documents.includes(file) && OF_THEME.has(id)) continue;
          found.push(
            `${file}: ${id} (${impact}), ${nodes.length}: ${nodes[0]?.html.slice(0, 160)} ${nodes[0]?.failureSummary.slice(0, 200)}`,
          );
        }
        await close();
      }
      t.diagnostic(`${templates.length} pages`);
      assert.deepEqual(found, []);
    });
  }

  const directory = process.env["SCREENSHOTS"];
  const pictures = async () => {
    mkdirSync(directory ?? "", { recursive: true });
    const views: [string, string, View][] = [
      ["start-light", "index.html", {}],
      ["start-dark", "index.html", { scheme: "dark" }],
      ["watch-light", nameOf("The watch"), {}],
      ["logs-dark", nameOf("Ship logs"), { scheme: "dark" }],
      ["errors-light", nameOf("Operating an agent"), {}],
      ["phone-light", nameOf("Your first agent"), { width: 390, height: 844 }],
      ["phone-dark", nameOf("Follow processes"), { width: 390, height: 844, scheme: "dark" }],
      ["reference-light", files.find((file) => file.endsWith("PodsClient.html")) ?? "", {}],
    ];
    for (const [name, file, view] of views) {
      const { page, close } = await opened(file, view);
      await page.screenshot({ path: join(directory ?? "", `${name}.png`) });
      await close();
    }
  };
  // They are for people: SCREENSHOTS says where to.
  if (directory !== undefined) test("pictures for people", pictures);
});
