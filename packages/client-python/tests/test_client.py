"""The client against a server that sends scripted responses: `python3 -m unittest discover -s tests` with PYTHONPATH=src."""

import base64
import hashlib
import hmac
import json
import threading
import time
import unittest
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from unified_records import Client, UnifiedError, verify_connect_result, verify_webhook

RECORD = {"externalId": "A", "name": "Tea"}


def problem(status, code, headers=None, **more):
    body = {"title": code, "status": status, "detail": f"about {code}", "code": code, **more}
    return {"status": status, "headers": {"retry-after": "0"} if headers is None else headers, "body": body}


def page(numbers, cursor=None):
    data = [{"externalId": str(number), "name": f"P{number}"} for number in numbers]
    pagination = {"hasMore": cursor is not None, **({"cursor": cursor} if cursor else {})}
    return {"body": {"data": data, "pagination": pagination}}


def written(external_id, replayed=False):
    reference = {"externalId": external_id, "id": f"native-{external_id}", "replayed": replayed}
    body = {"success": True, "data": {"externalId": f"native-{external_id}"}, "reference": reference}
    return {"status": 200 if replayed else 201, "body": body}


class Server:
    """The last entry of the script handles all further requests."""

    def __init__(self, script):
        self.asked = []
        self.connections = set()
        self.hung_up = threading.Event()
        outer = self
        lock = threading.Lock()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self):
                length = int(self.headers.get("content-length") or 0)
                url = urlsplit(self.path)
                asked = {
                    "method": self.command,
                    "path": url.path,
                    "query": {name: values[0] for name, values in parse_qs(url.query).items()},
                    "headers": {name.lower(): value for name, value in self.headers.items()},
                    "body": self.rfile.read(length).decode(),
                }
                with lock:
                    outer.asked.append(asked)
                    outer.connections.add(self.client_address)
                    index = len(outer.asked) - 1
                    answer = script(asked, index) if callable(script) else script[min(index, len(script) - 1)]
                if answer.get("pause"):
                    time.sleep(answer["pause"])
                if answer.get("cut") == "before":
                    self.close_connection = True
                    return
                body = answer.get("body", {})
                content = body.encode() if isinstance(body, str) else json.dumps(body).encode()
                self.send_response(answer.get("status", 200))
                for name, value in answer.get("headers", {}).items():
                    self.send_header(name, value)
                self.send_header("x-request-id", "req_1")
                self.send_header("content-length", str(len(content) + (10 if answer.get("cut") else 0)))
                try:
                    self.end_headers()
                    self.wfile.write(content)
                except BrokenPipeError:
                    pass  # the client no longer waits
                if answer.get("cut") or answer.get("hang_up"):
                    self.close_connection = True

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any

            def log_message(self, *_):
                pass

        class Listener(ThreadingHTTPServer):
            def shutdown_request(self, request):
                super().shutdown_request(request)
                outer.hung_up.set()

        self.server = Listener(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class ClientTest(unittest.TestCase):
    def start(self, script, **options):
        server = Server(script)
        self.addCleanup(server.close)
        given = {"api_key": "urk_test.secret", **options}
        client = Client(f"{server.url}/", **{name: value for name, value in given.items() if value is not None})
        self.addCleanup(client.close)
        return server, client

    def products(self, script, **options):
        server, client = self.start(script, **options)
        return server, client.account("shop 1").product

    def failure(self, call):
        with self.assertRaises(UnifiedError) as caught:
            call()
        return caught.exception

    def test_retries_what_is_safe_to_retry(self):
        for first in [
            problem(429, "too_many_requests"),
            problem(502, "downstream_error"),
            problem(503, "unavailable"),
            problem(500, "internal_error"),
            problem(409, "write_in_progress"),
            problem(409, "outcome_unknown"),
            {"status": 502, "headers": {"retry-after": "0"}, "body": "<h1>Bad gateway</h1>"},
            problem(429, "too_many_requests", {"retry-after": "Wed, 15 Jul 2020 15:04:05 GMT"}),
        ]:
            with self.subTest(first=first):
                server, products = self.products([first, written("A")])
                self.assertEqual(products.create(RECORD).id, "native-A")
                asked = [(one["method"], one["path"], json.loads(one["body"])) for one in server.asked]
                self.assertEqual(asked, [("POST", "/unified/shop%201/product", RECORD)] * 2)

    def test_retries_broken_and_unreadable_responses(self):
        seen = []
        script = [{"cut": "before"}, {**written("A"), "cut": "amid"}, {"body": "cut sho"}, written("A", True)]
        server, products = self.products(script, on_response=seen.append)
        self.assertTrue(products.create(RECORD).replayed)
        self.assertEqual([(one.status, one.attempt) for one in seen], [(0, 1), (0, 2), (200, 3), (200, 4)])
        self.assertEqual(len(server.asked), 4)

    def test_retries_after_a_timeout(self):
        server, products = self.products([{"pause": 600}, page([2])], timeout=1)
        self.assertEqual(products.list().page().data[0]["externalId"], "2")
        error = self.failure(self.products([{"pause": 600}], timeout=0.1, max_retries=0)[1].list().page)
        self.assertEqual((error.code, error.status), ("timeout", 0))

    def test_gives_up(self):
        server, products = self.products([problem(503, "unavailable")], max_retries=2)
        self.assertEqual(self.failure(lambda: products.create(RECORD)).code, "unavailable")
        self.assertEqual(len(server.asked), 3)
        for first in [
            problem(422, "validation_failed"),
            problem(429, "too_many_requests", {"retry-after": "61"}),
            problem(409, "reconnect_required"),
            problem(503, "not_ready"),
        ]:
            server, products = self.products([first, written("A")])
            self.assertEqual(self.failure(lambda: products.create(RECORD)).code, first["body"]["code"])
            self.assertEqual(len(server.asked), 1)
        server, products = self.products([problem(409, "outcome_unknown")])
        self.failure(lambda: products.create(RECORD))
        self.assertEqual(len(server.asked), 2)

    def test_an_update_with_if_match_is_repeated_only_after_429(self):
        server, products = self.products([problem(429, "too_many_requests"), problem(502, "downstream_error")])
        self.assertEqual(self.failure(lambda: products.update("1", RECORD, if_match='"7"')).code, "downstream_error")
        self.assertEqual([one["headers"].get("if-match") for one in server.asked], ['"7"', '"7"'])

    def test_a_resend_is_not_resent(self):
        server, products = self.products([problem(502, "downstream_error"), written("A")])
        products.create(RECORD, on_unknown="resend")
        self.assertEqual([one["query"].get("onUnknown") for one in server.asked], ["resend", None])

    def test_walks(self):
        script = [page([1, 2], "c1"), problem(503, "unavailable"), page([3], "c2"), page([])]
        server, products = self.products(script)
        walk = products.list(page_size=2, updated_after=datetime(2026, 1, 1, tzinfo=timezone.utc), fields=["name"])
        self.assertEqual([one["externalId"] for one in walk], ["1", "2", "3"])
        first = {"pageSize": "2", "updatedAfter": "2026-01-01T00:00:00Z", "fields": "name"}
        self.assertEqual([one["query"] for one in server.asked], [first, *({"cursor": c} for c in ("c1", "c1", "c2"))])
        self.assertEqual(len(server.connections), 1)
        with self.assertRaises(ValueError):
            products.list(updated_after=datetime(2026, 1, 1))

    def test_a_connection_that_the_server_closed_costs_no_attempt(self):
        seen = []
        script = [{**page([1]), "hang_up": True}, page([2])]
        server, products = self.products(script, on_response=seen.append)
        products.list().page()
        server.hung_up.wait()
        products.list().page()
        self.assertEqual([one.attempt for one in seen], [1, 1])

    def test_create_many_goes_on_after_a_refusal_and_ends_if_nothing_can_succeed(self):
        def script(asked, index):
            name = json.loads(asked["body"])["externalId"]
            if name == "limited" and index == 1:
                return problem(429, "too_many_requests")
            return problem(422, "validation_failed") if name == "bad" else written(name, name == "old")

        server, products = self.products(script, max_retries=0)
        records = [{"externalId": name, "name": name} for name in ("new", "limited", "bad", "old")]
        told = []
        result = products.create_many(iter(records), on_progress=told.append)
        self.assertEqual((result.done, result.replayed, [one.index for one in result.failed]), (3, 1, [2]))
        self.assertEqual([one.error is None for one in told], [True, True, False, True])
        server, products = self.products([problem(403, "account_disabled")])
        self.assertEqual(self.failure(lambda: products.create_many(records)).code, "account_disabled")
        self.assertEqual(len(server.asked), 1)

    def test_errors_have_what_the_service_says(self):
        errors = [{"pointer": "/name", "message": "must not be empty"}]
        _, products = self.products([problem(422, "validation_failed", {}, errors=errors, scope="native")])
        error = self.failure(lambda: products.create(RECORD))
        self.assertEqual((error.status, error.errors, error.scope, error.request_id), (422, errors, "native", "req_1"))
        self.assertFalse(error.is_retryable)
        self.assertEqual(self.failure(lambda: products.create({"externalId": "A", "price": float("nan")})).code, "invalid_client")

    def test_tokens_are_shared_renewed_and_replaced_when_rejected(self):
        tokens = []

        def script(asked, _):
            if asked["path"].endswith("/access-token"):
                tokens.append(asked["body"])
                return {"body": {"access_token": f"t{len(tokens)}", "expires_in": 3600}}
            if asked["headers"]["authorization"] == "Bearer t1" and asked["query"].get("search") == "reject":
                return problem(401, "unauthorized", {})
            return page([1])

        keys = {"shop 1": {"read": "key-r"}}
        server, products = self.products(
            script, api_key=None, access_id="id", access_secret="secret", mapping_keys=keys
        )
        threads = [threading.Thread(target=products.list().page) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(tokens), 1)
        self.assertEqual(parse_qs(tokens[0])["grant_type"], ["client_credentials"])
        products.list(search="reject").page()
        self.assertEqual(len(tokens), 2)
        last = server.asked[-1]
        self.assertEqual(last["path"], "/api/1.0/standalone-link-engine-service/unified/shop%201/product")
        self.assertEqual((last["query"]["mappingKey"], last["headers"]["authorization"]), ("key-r", "Bearer t2"))
        self.assertEqual(self.failure(lambda: products.create(RECORD)).code, "mapping_key_required")

    def test_credentials_are_checked(self):
        for options in [{}, {"api_key": "k", "access_id": "i"}, {"access_id": "i"}]:
            with self.assertRaises(ValueError):
                Client("http://localhost", **options)
        for url in ["localhost:8080", "ftp://localhost", "https://user:secret@localhost"]:
            with self.assertRaises(ValueError) as refused:
                Client(url, api_key="k")
            self.assertNotIn("secret", str(refused.exception))
        with self.assertRaisesRegex(ValueError, "Client needs url"):
            Client(None, api_key="k")

    def test_changes_wait_resume_and_start_again(self):
        def changes(numbers, cursor, has_more=False):
            data = [{"externalId": str(number), "operation": "update"} for number in numbers]
            return {"body": {"data": data, "pagination": {"cursor": cursor, "hasMore": has_more}}}

        script = [problem(503, "not_ready"), changes([1], "c1", True), changes([2], "c2"), changes([], "c3"), changes([3], "c4")]
        server, client = self.start(script)
        stored = []
        feed = client.account("a").changes(["product"], wait=5, on_cursor=stored.append)
        seen = []
        for change in feed:
            seen.append(change["externalId"])
            if len(seen) == 3:
                break
        self.assertEqual((seen, stored, feed.cursor), (["1", "2", "3"], ["c1", "c2", "c3"], "c3"))
        asked = [(one["query"].get("cursor"), one["headers"].get("prefer")) for one in server.asked]
        self.assertEqual(asked, [(None, None), (None, None), ("c1", None), ("c2", "wait=5"), ("c3", "wait=5")])

        script = [problem(410, "cursor_expired", {}), changes([], "n1"), page([7]), changes([8], "n2")]
        server, client = self.start(script)
        told = []
        cursor = client.account("a").copy(
            "product",
            cursor="old",
            follow=False,
            on_start=lambda: told.append("start"),
            on_record=lambda record, entity: told.append((entity, record["externalId"])),
            on_copied=lambda: told.append("copied"),
            on_change=lambda change: told.append(change["externalId"]),
        )
        self.assertEqual((cursor, told), ("n2", ["start", ("product", "7"), "copied", "8"]))

    def test_creating_calls_of_the_management_api_are_sent_once(self):
        server, client = self.start([problem(503, "unavailable")])
        self.failure(lambda: client.manage.connect_links.create(platforms=["square"]))
        self.assertEqual(len(server.asked), 1)


class SignatureTest(unittest.TestCase):
    secret = "whsec_" + base64.b64encode(b"0123456789abcdef0123456789abcdef").decode()

    def signed(self, body, at=None):
        timestamp = str(int(time.time() if at is None else at))
        key = base64.b64decode(self.secret[6:])
        signature = hmac.new(key, f"evt_1.{timestamp}.".encode() + body, hashlib.sha256).digest()
        value = f"v1,AAAA v1,{base64.b64encode(signature).decode()}"
        return {"Webhook-Id": "evt_1", "Webhook-Timestamp": timestamp, "Webhook-Signature": value}

    def test_webhooks(self):
        body = '{"type":"product.update","data":{"name":"Tëa"}}'.encode()
        self.assertEqual(verify_webhook(self.signed(body), body, self.secret)["data"]["name"], "Tëa")
        self.assertEqual(verify_webhook(self.signed(body), body.decode(), ["whsec_AAAA", self.secret])["type"], "product.update")
        for headers, content, secret in [
            (self.signed(body), body + b" ", self.secret),
            (self.signed(body, time.time() - 301), body, self.secret),
            ({}, body, self.secret),
            (self.signed(body), body, "whsec_AAAA"),
        ]:
            with self.assertRaises(UnifiedError) as caught:
                verify_webhook(headers, content, secret)
            self.assertEqual(caught.exception.code, "invalid_webhook")

    def test_connect_results(self):
        timestamp = int(time.time())
        query = f"accountId=a%7Eb*c&linkId=l1&state=x+y&status=connected&timestamp={timestamp}"
        signature = hmac.new(b"secret", query.encode(), hashlib.sha256).hexdigest()
        result = verify_connect_result(f"/back?signature={signature}&{query}", lambda link: "secret" if link == "l1" else None)
        self.assertEqual((result.status, result.account_id, result.state), ("connected", "a~b*c", "x y"))
        for url, secret in [(f"/back?{query}&signature={signature}", "other"), (f"/back?{query}", "secret")]:
            with self.assertRaises(UnifiedError) as caught:
                verify_connect_result(url, secret)
            self.assertEqual(caught.exception.code, "invalid_connect_result")


if __name__ == "__main__":
    unittest.main()
