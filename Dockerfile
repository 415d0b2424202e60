# Two stages: the first builds what the second only runs.
FROM python:3.11-slim AS build
WORKDIR /app
RUN python -m venv /venv
ENV PATH=/venv/bin:$PATH
COPY requirements.lock .
RUN pip install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements.lock
COPY . .
# Hashed and compressed once, here; every web server of the image has the same files.
# Assay lets nobody else read what it makes; these files are for everybody.
RUN ASSAY_DATA_DIR=/build ASSAY_STATIC_DIR=/static python manage.py collectstatic --noinput --verbosity 0 \
    && chmod -R a+rX /static /app /venv

FROM python:3.11-slim
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 ASSAY_DATA_DIR=/data ASSAY_STATIC_DIR=/static
RUN useradd --system --uid 10001 --no-create-home assay && install -d -o assay -m 0700 /data
COPY --from=build /venv /venv
COPY --from=build /static /static
COPY --from=build /app /app
WORKDIR /app
USER assay
VOLUME /data
EXPOSE 8000
CMD ["python", "-m", "config.serving", "--bind", "0.0.0.0:8000"]
