import assert from "node:assert/strict";
import { create } from "@bufbuild/protobuf";
import { TimeSchema } from "../../src/gen/k8s/io/apimachinery/pkg/apis/meta/v1/meta_pb.js";
import { IntOrStringSchema } from "../../src/gen/k8s/io/apimachinery/pkg/util/intstr/int_or_string_pb.js";
import { intOrString } from "../../src/pod/int-or-string.js";
import { isQuantity, quantityToNumber } from "../../src/pod/quantity.js";
import { formatTime, parseTime, toDate } from "../../src/pod/time.js";
import { test } from "../helpers/test.js";

test("quantityToNumber converts valid quantities and returns undefined for others", () => {
  const cases: [string, number][] = [
    ["0", 0],
    ["100m", 0.1],
    ["1500m", 1.5],
    ["-2", -2],
    ["1.5Gi", 1610612736],
    [".5", 0.5],
    ["5.", 5],
    ["128Mi", 134217728],
    ["1k", 1000],
    ["2e3", 2000],
    ["2E3", 2000],
    ["1E", 1e18],
    ["250u", 0.00025],
    ["10n", 1e-8],
    ["8Ei", 2 ** 63],
    ["3Ki", 3 * 2 ** 10],
    ["2Ti", 2 ** 41],
    ["2Pi", 2 ** 51],
    ["4M", 4e6],
    ["5G", 5e9],
    ["6T", 6e12],
    ["7P", 7e15],
  ];
  for (const [text, value] of cases) assert.equal(quantityToNumber(text), value, text);
  for (const text of ["", "m", "1 Gi", "1gi", "0x10", "1e", "--1", "1.2.3", "Infinity", "NaN", "1e99999"]) {
    assert.equal(isQuantity(text), false, text);
    assert.equal(quantityToNumber(text), undefined, text);
  }
  assert.equal(quantityToNumber("1e9999"), undefined);
  assert.equal(quantityToNumber(undefined), undefined);
});

test("parseTime, formatTime and toDate convert valid times and reject others", () => {
  const seconds = (text: string) => parseTime(text)?.seconds;
  assert.equal(seconds("2026-06-26T10:12:51Z"), 1782468771n);
  assert.equal(seconds("2026-06-26T12:12:51.999+02:00"), 1782468771n);
  assert.equal(seconds("1969-12-31T23:59:58.5Z"), -2n, "fractions are rounded down, as in Go");
  assert.equal(seconds("1970-01-01T00:00:00Z"), 0n);
  assert.equal(seconds("2024-02-29T00:00:00Z"), 1709164800n);
  assert.equal(seconds("9999-12-31T23:59:59Z"), 253402300799n);
  assert.deepEqual(parseTime("0001-01-01T00:00:00Z"), {}, "Go's zero time");
  for (const text of [
    "2026-02-29T00:00:00Z",
    "2026-06-26",
    "2026-06-26T10:12:51",
    "2026-06-26t10:12:51z",
    "2026-13-01T00:00:00Z",
    "2026-01-01T24:00:00Z",
    "9999-12-31T23:59:59-01:00",
    "0000-01-01T00:00:00Z",
    "now",
  ]) {
    assert.equal(parseTime(text), undefined, text);
  }
  assert.equal(formatTime(create(TimeSchema, { seconds: 1782468771n })), "2026-06-26T10:12:51Z");
  assert.equal(toDate(create(TimeSchema, { seconds: 1n, nanos: 5e8 }))?.getTime(), 1500);
  assert.equal(toDate(create(TimeSchema, { seconds: 0n, nanos: 0 }))?.getTime(), 0);
  assert.equal(toDate(create(TimeSchema)), undefined);
  assert.equal(toDate(undefined), undefined);
});

test("intOrString returns the number or the string", () => {
  assert.equal(intOrString(create(IntOrStringSchema, { intVal: 8080 })), 8080);
  assert.equal(intOrString(create(IntOrStringSchema, { type: 1n, strVal: "http" })), "http");
  assert.equal(intOrString(undefined), undefined);
});

test("toDate returns undefined for a time outside the range of Date", () => {
  assert.equal(toDate(create(TimeSchema, { seconds: 10n ** 15n, nanos: 0 })), undefined);
});
